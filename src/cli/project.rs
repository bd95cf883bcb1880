//! `heddle check -p`: what is said of a project on the command line, and its units as sources.

use std::path::{Path, PathBuf};

use clap::Args;

use super::sources::SourceArgs;
use heddle_driver::project::{Archs, Project, ProjectOptions, Shard};

#[derive(Args, Debug)]
#[command(next_help_heading = "Project")]
pub(super) struct ProjectArgs {
    /// Check the device code of a build: the folder that has `compile_commands.json`, or that file.
    /// Files named beside it choose units of it
    #[arg(short = 'p', long = "project", value_name = "PATH")]
    database: Option<PathBuf>,
    /// Compile for each architecture that a command names [default: the highest]
    #[arg(long, requires = "database", conflicts_with = "arch")]
    each_arch: bool,
    /// Check one of several parts of the project, as in `2/5`. `--format record=FILE` writes what
    /// `heddle merge` puts together
    #[arg(long, value_name = "I/N", requires = "database")]
    shard: Option<Shard>,
}

impl ProjectArgs {
    /// The database, or its folder.
    pub(super) fn place(&self) -> Option<&Path> {
        self.database.as_deref()
    }

    /// Whether this is one part of several.
    pub(super) fn is_part(&self) -> bool {
        self.shard.is_some()
    }

    /// The units, if this is about a project.
    pub(super) fn project(&self, sources: &SourceArgs) -> Option<Project> {
        let ProjectArgs { database, each_arch, shard } = self;
        let archs = match (&sources.arch, each_arch) {
            (Some(arch), _) => Archs::Only(arch.clone()),
            (None, true) => Archs::Each,
            (None, false) => Archs::Highest,
        };
        Some(Project::read(&ProjectOptions {
            database: database.clone()?,
            files: sources.files.clone(),
            archs,
            compile: sources.compile_options(),
            shard: *shard,
        }))
    }
}

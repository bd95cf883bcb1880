//! SVG text: a document, its elements, and the escaping of what is put into them.
//!
//! **Promises**: attributes keep the order in which they are given, and text from a program cannot
//! leave its place. **Does not**: know which elements and attributes SVG has, or lay anything out.
//! Public because the command line draws charts of barriers with it.

use std::fmt::{Display, Write};

/// An element with its attributes, and with a text or a title inside it.
pub struct Element {
    name: &'static str,
    /// The opening tag without its last character.
    opening: String,
    inside: Option<String>,
}

impl Element {
    /// An element without attributes and without content.
    pub fn new(name: &'static str) -> Self {
        Self { name, opening: format!("<{name}"), inside: None }
    }

    /// The element with one more attribute.
    #[must_use]
    pub fn with(mut self, attribute: &str, value: impl Display) -> Self {
        let value = escaped(&value.to_string());
        write!(self.opening, " {attribute}=\"{value}\"").expect("writing to a string");
        self
    }

    /// The element around a text.
    #[must_use]
    pub fn around(mut self, text: &str) -> Self {
        self.inside = Some(escaped(text));
        self
    }

    /// The element with a title, which viewers show under the pointer.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        self.inside = Some(Element::new("title").around(title).to_string());
        self
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, opening, inside } = self;
        match inside {
            Some(inside) => write!(f, "{opening}>{inside}</{name}>"),
            None => write!(f, "{opening}/>"),
        }
    }
}

/// A document, to which elements are added line by line.
pub struct Document {
    text: String,
}

impl Document {
    /// A document whose root has the attributes that `root` gives to it.
    pub fn new(root: impl FnOnce(Element) -> Element) -> Self {
        let root = root(Element::new("svg").with("xmlns", "http://www.w3.org/2000/svg"));
        Self { text: format!("{}>\n", root.opening) }
    }

    /// Adds a line with one element.
    pub fn add(&mut self, element: Element) {
        self.add_line([element]);
    }

    /// Adds elements that belong together, as one line.
    pub fn add_line(&mut self, elements: impl IntoIterator<Item = Element>) {
        for element in elements {
            write!(self.text, "{element}").expect("writing to a string");
        }
        self.text.push('\n');
    }

    /// The text of the document.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_in_its_place() {
        let mut document = Document::new(|root| root.with("width", 3));
        document.add(Element::new("text").with("x", "\"/><a").around("</text>&"));
        document.add(Element::new("rect").titled("<b>"));
        assert_eq!(
            document.finish(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\">\n\
             <text x=\"&quot;/&gt;&lt;a\">&lt;/text&gt;&amp;</text>\n\
             <rect><title>&lt;b&gt;</title></rect>\n</svg>\n"
        );
    }
}

//! Drawing what has no parts: messages, assignments, conditions and numbers.

use super::generate::{Channel, Generator, Variable};
use super::{Statement, plain};

impl Generator<'_> {
    pub(super) fn message(&mut self) -> String {
        if self.random.percent(50) { self.send() } else { self.receive(true) }
    }

    pub(super) fn any_channel(&mut self) -> Channel {
        self.channels[self.random.below(self.channels.len() as u32) as usize].clone()
    }

    fn send(&mut self) -> String {
        let channel = self.any_channel();
        let values: Vec<String> = (0..channel.fields).map(|field| self.field(&channel, field)).collect();
        let operator = if !channel.rendezvous && self.random.percent(10) { "!!" } else { "!" };
        format!("{}{operator}{}", channel.name, values.join(", "))
    }

    /// A value to be sent.
    fn field(&mut self, channel: &Channel, field: u32) -> String {
        if field == 0 && channel.tagged {
            return ["red", "blue"][self.random.below(2) as usize].to_owned();
        }
        if self.random.percent(50) {
            self.random.below(3).to_string()
        } else {
            format!("({}) % 3", self.term())
        }
    }

    /// A receive; as the guard of a d_step not one that leaves the message where it is, from which SPIN makes
    /// C that does not compile.
    pub(super) fn receive(&mut self, may_peek: bool) -> String {
        let channel = self.any_channel();
        let mut used = Vec::new();
        let mut patterns = Vec::new();
        for field in 0..channel.fields {
            // A variable may stand in one field only, and it must hold all that the field does: when SPIN takes a
            // receive back, it puts what the variable holds into the message, and so misses steps.
            let variable = self.natural(!channel.bits[field as usize]);
            let pattern = if field == 0 && channel.tagged && self.random.percent(70) {
                ["red", "blue"][self.random.below(2) as usize].to_owned()
            } else if self.random.percent(25) {
                self.random.below(2).to_string()
            } else if self.random.percent(15) {
                "_".to_owned()
            } else {
                match variable {
                    Some(variable) if !used.contains(&variable) && self.random.percent(85) => {
                        used.push(variable.clone());
                        variable
                    }
                    // For the same reason not one that the same receive sets.
                    Some(variable) if !used.contains(&variable) => {
                        used.push(variable.clone());
                        format!("eval({variable})")
                    }
                    _ => "_".to_owned(),
                }
            };
            patterns.push(pattern);
        }
        let patterns = patterns.join(", ");
        let name = &channel.name;
        match self.random.below(20) {
            0 if !channel.rendezvous => format!("{name}??{patterns}"),
            1 if !channel.rendezvous && may_peek => format!("{name}?<{patterns}>"),
            _ => format!("{name}?{patterns}"),
        }
    }

    /// A variable that is never negative and no array, and perhaps holds any byte.
    fn natural(&mut self, wide: bool) -> Option<String> {
        let fits =
            |variable: &&Variable| variable.natural && variable.length.is_none() && (variable.wide || !wide);
        let candidates: Vec<&Variable> = self.variables.iter().filter(fits).collect();
        if candidates.is_empty() {
            return None;
        }
        let index = self.random.below(candidates.len() as u32) as usize;
        Some(candidates[index].name.clone())
    }

    /// A variable, or an element of an array.
    fn place(&mut self) -> (String, Variable) {
        let variable = self.variables[self.random.below(self.variables.len() as u32) as usize].clone();
        let Some(length) = variable.length else { return (variable.name.clone(), variable) };
        let index = match self.natural(false) {
            Some(index) if self.random.percent(50) => format!("{index} % {length}"),
            _ => self.random.below(length).to_string(),
        };
        (format!("{}[{index}]", variable.name), variable)
    }

    pub(super) fn assignment(&mut self) -> Statement {
        let (place, variable) = self.place();
        if variable.narrow && self.random.percent(30) {
            return plain(format!("{place}{}", ["++", "--"][self.random.below(2) as usize]));
        }
        if self.random.percent(40) {
            return plain(format!("{place} = {}", self.random.below(3)));
        }
        let value = self.term();
        match variable.narrow && self.random.percent(60) {
            true => plain(format!("{place} = {value}")),
            false => plain(format!("{place} = ({value}) % {}", self.random.between(2, 3))),
        }
    }

    pub(super) fn assertion(&mut self) -> Statement {
        let condition = self.condition();
        plain(format!("assert({condition})"))
    }

    /// A number.
    fn term(&mut self) -> String {
        if self.random.percent(self.knobs.last) {
            return "_last".to_owned();
        }
        match self.random.below(10) {
            0..=3 => self.place().0,
            4 => self.random.below(4).to_string(),
            5 => "_pid".to_owned(),
            6 => format!("len({})", self.any_channel().name),
            7 => {
                let condition = self.comparison();
                let (one, other) = (self.place().0, self.random.below(3));
                format!("({condition} -> {one} : {other})")
            }
            _ => {
                let operator = ["+", "-", "*", "^", "|", "&"][self.random.below(6) as usize];
                format!("({} {operator} {})", self.place().0, self.random.between(1, 3))
            }
        }
    }

    fn comparison(&mut self) -> String {
        let operator = ["==", "!=", "<", ">", "<=", ">="][self.random.below(6) as usize];
        format!("{} {operator} {}", self.place().0, self.random.below(3))
    }

    pub(super) fn condition(&mut self) -> String {
        if self.known_labels > 0 && !self.in_d_step && self.random.percent(self.knobs.remote) {
            return format!("p0[0]@label{}", self.random.below(self.known_labels));
        }
        match self.random.below(20) {
            0..=10 => self.comparison(),
            11..=13 => {
                let operator = ["&&", "||"][self.random.below(2) as usize];
                format!("({} {operator} {})", self.comparison(), self.comparison())
            }
            14 => format!("!({})", self.comparison()),
            15 => format!("({})", self.term()),
            16 => {
                let question = ["empty", "nempty", "full", "nfull"][self.random.below(4) as usize];
                match self.channels.iter().find(|channel| !channel.rendezvous) {
                    Some(channel) => format!("{question}({})", channel.name),
                    None => self.comparison(),
                }
            }
            17 => {
                let buffered = self.channels.iter().find(|channel| !channel.rendezvous && !channel.tagged);
                match buffered.cloned() {
                    Some(channel) => {
                        let values: Vec<&str> = (0..channel.fields).map(|_| "1").collect();
                        let operator = ["?", "??"][self.random.below(2) as usize];
                        format!("{}{operator}[{}]", channel.name, values.join(", "))
                    }
                    None => self.comparison(),
                }
            }
            _ => format!("{} == {}", self.term(), self.random.below(3)),
        }
    }
}

//! Facts about arrays: sortedness, bounds of elements, membership, sums.

use crate::detect::{Invariant, Judge};
use crate::fact::Fact;
use crate::samples::Samples;

pub(crate) fn of_arrays(samples: &Samples, judge: &Judge, found: &mut Vec<Invariant>) {
    let columns = 0..samples.names().len();
    let numbers: Vec<(usize, Vec<i64>)> =
        columns.clone().filter_map(|column| Some((column, samples.numbers(column)?))).collect();
    for column in columns {
        let Some(arrays) = samples.arrays(column) else { continue };
        let name = &samples.names()[column];
        // Arrays without two elements are sorted by nature.
        let telling = arrays.iter().filter(|array| array.len() > 1).count();
        for strictly in [true, false] {
            let fact = Fact::Sorted { array: name.clone(), strictly };
            if judge.is_enough(telling, 0.5) && fact.holds_in_all(samples) {
                found.push(Invariant { fact, samples: telling });
                break;
            }
        }
        let elements: Vec<i64> = arrays.iter().flat_map(|array| array.iter().copied()).collect();
        if let (Some(least), Some(most)) = (elements.iter().min(), elements.iter().max())
            && judge.is_enough(elements.len(), 0.5)
        {
            let least = Fact::ElementsAtLeast(name.clone(), *least);
            let most = Fact::ElementsAtMost(name.clone(), *most);
            found.extend([least, most].map(|fact| Invariant { fact, samples: elements.len() }));
        }
        for (other, values) in &numbers {
            let var = samples.names()[*other].clone();
            let changes = values.iter().any(|value| *value != values[0]);
            let facts = [Fact::Member(var.clone(), name.clone()), Fact::SumOf(var, name.clone())];
            for fact in facts.into_iter().filter(|fact| changes && fact.holds_in_all(samples)) {
                if judge.is_enough(samples.len(), 0.5) {
                    found.push(Invariant { fact, samples: samples.len() });
                }
            }
        }
    }
}

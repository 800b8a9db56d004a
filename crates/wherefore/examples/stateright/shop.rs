//! A shop that can refund what it delivers: a model for stateright.
//!
//! A customer may cancel an order, a warehouse packs and ships it, a till refunds what was cancelled. The warehouse
//! looks whether the order was cancelled before it packs, and never again.

use stateright::{Model, Property};
use wherefore::Event;

/// The shop; `late` is the fault: an order can be cancelled after it was packed.
pub(crate) struct Shop {
    pub(crate) late: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Order {
    placed: bool,
    packed: bool,
    shipped: bool,
    delivered: bool,
    cancelled: bool,
    refunded: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Act {
    Place,
    Cancel,
    Refund,
    Pack,
    Ship,
    Deliver,
}

impl Model for Shop {
    type State = Order;
    type Action = Act;

    fn init_states(&self) -> Vec<Order> {
        vec![Order::default()]
    }

    fn actions(&self, order: &Order, actions: &mut Vec<Act>) {
        let possible = [
            (!order.placed, Act::Place),
            (order.placed && !order.shipped && !order.cancelled && (self.late || !order.packed), Act::Cancel),
            (order.cancelled && !order.refunded, Act::Refund),
            (order.placed && !order.packed && !order.cancelled, Act::Pack),
            (order.packed && !order.shipped, Act::Ship),
            (order.shipped && !order.delivered, Act::Deliver),
        ];
        actions.extend(possible.into_iter().filter(|(is_possible, _)| *is_possible).map(|(_, act)| act));
    }

    fn next_state(&self, order: &Order, act: Act) -> Option<Order> {
        let mut next = order.clone();
        match act {
            Act::Place => next.placed = true,
            Act::Cancel => next.cancelled = true,
            Act::Refund => next.refunded = true,
            Act::Pack => next.packed = true,
            Act::Ship => next.shipped = true,
            Act::Deliver => next.delivered = true,
        }
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("nothing is given away", |_, order: &Order| {
                !(order.refunded && order.delivered)
            }),
            Property::sometimes("orders arrive", |_, order: &Order| order.delivered),
            Property::eventually("orders end", |_, order: &Order| order.refunded || order.delivered),
        ]
    }
}

/// Who does what, so that explanations name processes.
pub(crate) fn told(act: &Act) -> Event {
    let (process, number) = match act {
        Act::Place | Act::Cancel => ("customer", 0),
        Act::Pack | Act::Ship | Act::Deliver => ("warehouse", 1),
        Act::Refund => ("till", 2),
    };
    Event::new(format!("{act:?}").to_lowercase()).by(process, number)
}

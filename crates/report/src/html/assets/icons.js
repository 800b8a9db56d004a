// Icons as drawings: signs for media controls and marks are empty boxes where a font lacks them.

const ICONS = {
  first: 'M4 3v10M13 3L6 8l7 5z', back: 'M12 3L4 8l8 5z', forward: 'M4 3l8 5-8 5z', last: 'M12 3v10M3 3l7 5-7 5z',
  check: 'M3 8.5l3.5 3.5L13 4.5', cross: 'M4 4l8 8M12 4l-8 8', stop: 'M3 3h10v10H3z', arrow: 'M2 8h11M9 4l4 4-4 4',
  larger: 'M8 3v10M3 8h10', smaller: 'M3 8h10', dot: 'M8 5.5a2.5 2.5 0 1 0 .01 0z',
  theme: 'M8 2a6 6 0 1 0 .01 0M8 2v12M8 4.5l5 3.5M8 8l5.8 0M8 11.5l5-3.5',
};
const FILLED = new Set(['first', 'back', 'forward', 'last', 'stop', 'dot']);

// A drawing that says nothing to those who do not see it: its button or its neighbour has the words.
function icon(name) {
  return draw('svg', { class: `icon icon-${name}${FILLED.has(name) ? ' filled' : ''}`, viewBox: '0 0 16 16', width: 14, height: 14, 'aria-hidden': 'true' },
    draw('path', { d: ICONS[name] }));
}

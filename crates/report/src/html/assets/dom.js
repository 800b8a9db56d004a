// Elements. Whatever comes from the input reaches the page through `text` and `attribute` here, as text.

const SVG = 'http://www.w3.org/2000/svg';

// Characters that would be invisible, or would turn the text around them: they are shown by their number.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

function shown(text) {
  return String(text)
    .replace(UNSEEN, (letter) => `\u27e8U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}\u27e9`)
    .replace(/\n/g, '\u21b5');
}

function append(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : document.createTextNode(shown(child)));
  }
  return parent;
}

// An element; `options` are attributes, but for `on` (listeners), `class` and properties that start with a dot.
function make(tag, options, ...children) {
  const element = document.createElement(tag);
  return append(dress(element, options), children);
}

function draw(tag, options, ...children) {
  const element = document.createElementNS(SVG, tag);
  return append(dress(element, options), children);
}

function dress(element, options) {
  for (const [name, value] of Object.entries(options || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name.startsWith('.')) {
      element[name.slice(1)] = value;
    } else {
      element.setAttribute(name, value === true ? '' : shown(value));
    }
  }
  return element;
}

function replaceChildren(parent, ...children) {
  parent.replaceChildren();
  return append(parent, children);
}

function code(text) {
  return make('code', { dir: 'ltr' }, text);
}

// Text in which `backticks` mark what the input says.
function prose(text) {
  const parts = String(text).split('`');
  // Of an odd number of marks, one is not a mark: then nothing is.
  if (parts.length % 2 === 0) return [String(text)];
  return parts.map((part, at) => (at % 2 === 1 ? code(part) : part));
}

function button(label, action, options) {
  return make('button', { type: 'button', on: { click: action }, ...options }, label);
}

function badge(kind, content, title) {
  return make('span', { class: `badge ${kind}`, title }, content);
}

function empty(...text) {
  return make('p', { class: 'empty' }, ...text);
}

function heading(text, ...more) {
  return make('h3', {}, text, ...more);
}

function card(title, ...content) {
  return make('section', { class: 'card' }, title ? heading(title) : null, ...content);
}

// A table: its caption for those who do not see it, its heads, its rows of cells.
function table(caption, heads, rows) {
  return make('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': caption },
    make('table', {},
      make('caption', { class: 'hidden-visually' }, caption),
      make('thead', {}, make('tr', {}, heads.map((head) => make('th', { scope: 'col' }, head || make('span', { class: 'hidden-visually' }, 'notes'))))),
      make('tbody', {}, rows.map((cells) => make('tr', {}, cells.map((cell) => make('td', {}, cell)))))));
}

// The first items of a long list; a button brings the next ones.
function unfolding(items, most, one, tag = 'div') {
  const holder = make(tag, { class: 'unfolding' });
  let told = 0;
  const more = button('', () => tell(most * 4), { class: 'unfold' });
  const place = tag === 'div' ? more : make('li', {}, more);
  const tell = (count) => {
    const next = items.slice(told, told + count);
    place.remove();
    append(holder, next.map(one));
    told += next.length;
    if (told < items.length) {
      more.textContent = `${countOf(items.length - told, 'more')} \u2026`;
      holder.append(place);
    }
  };
  tell(most);
  return holder;
}

function grouped(number) {
  return Number(number).toLocaleString('en-GB');
}

function countOf(number, what) {
  const plural = what === 'more' || number === 1 ? what : /[^aeiou]y$/.test(what) ? `${what.slice(0, -1)}ies` : `${what}s`;
  return `${grouped(number)} ${plural}`;
}

function seconds(value) {
  if (typeof value !== 'number') return '';
  return value < 0.001 ? 'under 1 ms' : value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(1)} s`;
}

function percent(value) {
  if (value === null || value === undefined) return 'not known';
  if (value > 0 && value < 0.001) return 'under 0.1 %';
  if (value < 1 && value > 0.999) return 'over 99.9 %';
  return `${(value * 100).toFixed(value === 0 || value === 1 ? 0 : 1)} %`;
}

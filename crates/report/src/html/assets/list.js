// Long lists: only the rows that can be seen are there. All rows are equally high, so the place of each is known.

class LongList {
  // `row(at)` makes the row with a number; `drawn(first, last, layer)` may draw over the rows that are there.
  constructor({ label, height, row, drawn, chosen, role, activate }) {
    Object.assign(this, { height, row, drawn, chosen, activate });
    this.count = 0;
    this.current = -1;
    this.isChoice = role !== 'list';
    this.name = `list${(LongList.made = (LongList.made || 0) + 1)}`;
    this.layer = make('div', { class: 'layer' });
    this.rows = make('div', { class: 'rows', role: 'presentation' });
    this.space = make('div', { class: 'space', role: 'presentation' }, this.layer, this.rows);
    this.view = make('div', {
      class: 'long-list', tabindex: '0', role: this.isChoice ? 'listbox' : 'list', 'aria-label': label,
      on: { scroll: () => this.later(), keydown: (event) => this.key(event) },
    }, this.space);
    new ResizeObserver(() => { this.reveal(this.current); this.later(); }).observe(this.view);
    this.range = [0, -1];
  }

  show(count) {
    this.count = count;
    this.space.style.height = `${count * this.height}px`;
    this.view.style.setProperty('--content', `${count * this.height + 2}px`);
    this.range = [0, -1];
    this.refresh();
  }

  later() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.refresh();
    });
  }

  refresh(anew) {
    const seen = this.view.clientHeight;
    if (seen === 0) return;
    const top = Math.max(0, this.view.scrollTop);
    const first = Math.max(0, Math.floor(top / this.height) - 6);
    const last = Math.min(this.count - 1, Math.ceil((top + seen) / this.height) + 6);
    if (!anew && first === this.range[0] && last === this.range[1]) return;
    this.range = [first, last];
    const rows = [];
    for (let at = first; at <= last; at += 1) rows.push(this.finished(at));
    this.rows.style.transform = `translateY(${first * this.height}px)`;
    this.rows.replaceChildren(...rows);
    if (this.drawn) {
      this.layer.style.transform = `translateY(${first * this.height}px)`;
      this.drawn(first, last, this.layer);
    }
    this.point();
  }

  finished(at) {
    const row = this.row(at);
    row.id = `${this.name}-${at}`;
    row.style.height = `${this.height}px`;
    row.setAttribute('role', this.isChoice ? 'option' : 'listitem');
    row.setAttribute('aria-setsize', this.count);
    row.setAttribute('aria-posinset', at + 1);
    if (this.isChoice) row.setAttribute('aria-selected', at === this.current ? 'true' : 'false');
    if (at === this.current) row.classList.add('current');
    if (this.chosen) row.addEventListener('click', (event) => event.target.closest('button') || this.chosen(at));
    return row;
  }

  // Makes a row the current one and brings it into view.
  select(at, scroll = true) {
    const before = document.getElementById(`${this.name}-${this.current}`);
    if (before) {
      before.classList.remove('current');
      if (this.isChoice) before.setAttribute('aria-selected', 'false');
    }
    this.current = at;
    if (scroll) this.reveal(at);
    this.refresh();
    const now = document.getElementById(`${this.name}-${at}`);
    if (now) {
      now.classList.add('current');
      if (this.isChoice) now.setAttribute('aria-selected', 'true');
    }
    this.point();
  }

  point() {
    if (!this.isChoice) return;
    const isThere = this.current >= this.range[0] && this.current <= this.range[1];
    if (isThere) this.view.setAttribute('aria-activedescendant', `${this.name}-${this.current}`);
    else this.view.removeAttribute('aria-activedescendant');
  }

  reveal(at) {
    const seen = this.view.clientHeight;
    if (seen === 0 || at < 0) return;
    const [top, bottom] = [at * this.height, (at + 1) * this.height];
    const margin = Math.min(3 * this.height, seen / 4);
    if (top < this.view.scrollTop + margin) this.view.scrollTop = Math.max(0, top - Math.max(margin, seen / 3));
    else if (bottom > this.view.scrollTop + seen - margin) this.view.scrollTop = bottom - seen + Math.max(margin, seen / 3);
  }

  key(event) {
    if (!this.chosen || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.view.clientHeight / this.height) - 2);
    const moves = {
      ArrowDown: this.current + 1, ArrowUp: this.current - 1, PageDown: this.current + page,
      PageUp: this.current - page, Home: 0, End: this.count - 1,
    };
    if (!(event.key in moves) || this.count === 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.chosen(Math.max(0, Math.min(this.count - 1, moves[event.key])));
  }
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws the cells of bench/map as a heat map: information bits against rate, the worst cell of each field. */
'use strict';

const LEAST_BITS = 3, MOST_BITS = 16, RATE_FIELDS = 10;

/* What a cell can be coloured by: its value, null if it was not measured; large is bad. */
const first = result => (result.points || [])[0] || {};
const MEASURES = {
    'loss of the decoder, dB': result => (first(result).loss_decoder || [null])[0],
    'loss with the quantiser, dB': result => (first(result).loss_total || [null])[0],
    'marked as failed beyond ref, %': result => first(result).failed_excess === undefined ? null : 100 * first(result).failed_excess };
const SHARE = 'slower than the best of its group, times';

/* [{ group, k, rate, value, text }] of the losses of one backend, or of speeds. */
function map_cells(cells, backend, measure) {
    return cells.flatMap(cell => (cell.backends || []).filter(result => result.backend === backend).map(result => ({
        group: cell.family, k: cell.bits, rate: cell.bits / cell.coded, value: result.not_taken ? null : MEASURES[measure](result),
        refused: result.not_taken, text: 'cell ' + cell.cell + ': ' + cell.name + '\n' + cell.command })));
}

function speed_cells(cells) {
    const best = {};
    for (const cell of cells)
        best[cell.group] = Math.max(best[cell.group] || 0, cell.gbps > 0 ? cell.rate : 0);
    return cells.map(cell => ({ group: cell.group, k: cell.bits, rate: cell.bits / cell.coded,
        value: cell.gbps > 0 ? best[cell.group] / cell.rate : null, refused: cell.refused,
        text: 'cell ' + cell.cell + ', batch ' + cell.batch + (cell.like ? ', as ' + cell.like : '') + ': ' + digits(cell.gbps, 3) + ' Gb/s\n' + cell.kernel }));
}

/* Fields by "row column": their cells. */
function fields_of(list) {
    const fields = new Map();
    for (const cell of list) {
        const row = Math.max(LEAST_BITS, Math.min(MOST_BITS, Math.floor(Math.log2(cell.k))));
        const column = Math.min(RATE_FIELDS - 1, Math.floor(cell.rate * RATE_FIELDS));
        const name = row + ' ' + column;
        if (!fields.has(name))
            fields.set(name, { row, column, cells: [] });
        fields.get(name).cells.push(cell);
    }
    return [...fields.values()];
}

/* 0 to 9, the class of a colour. Losses below 0 are chance. */
function shade(value, low, high) {
    return Math.max(0, Math.min(9, Math.floor(10 * (value - low) / (high - low))));
}

function map_text(field, worst, measure) {
    const taken = field.cells.filter(cell => cell.value !== null).length;
    return 'information bits: ' + 2 ** field.row + ' to ' + (2 ** (field.row + 1) - 1) + ', rate ' + field.column / RATE_FIELDS +
        ' to ' + (field.column + 1) / RATE_FIELDS + '\n' + field.cells.length + ' cells, ' + taken + ' measured\n' + (worst ?
        'worst ' + measure + ': ' + digits(worst.value, 3) + '\n' + worst.text : field.cells[0].refused || 'not measured');
}

function map_axes(svg, rows, at) {
    for (const row of rows)
        svg.append(element('text', { class: 'tick', x: at.left - 6, y: at.y(row) + at.high / 2 + 4, 'text-anchor': 'end' }, String(2 ** row)));
    for (let column = 0; column <= RATE_FIELDS; column += at.wide < 36 ? 2 : 1)
        svg.append(element('text', { class: 'tick', x: at.left + column * at.wide, y: at.bottom + 15, 'text-anchor': 'middle' }, String(column / RATE_FIELDS)));
    svg.append(element('text', { x: at.left + RATE_FIELDS * at.wide / 2, y: at.bottom + 34, 'text-anchor': 'middle' }, 'information bits / bits sent'),
        element('text', { transform: 'translate(13 ' + at.bottom / 2 + ') rotate(-90)', 'text-anchor': 'middle' }, 'information bits'));
}

/* Two places fit into a field of a narrow page. */
function short(value) {
    return value < 10 ? String(+Math.max(0, value).toFixed(2)) : value < 1000 ? value.toFixed(0) : digits(value, 1);
}

function map_field(svg, field, measure, low, high, at, tip) {
    const known = field.cells.filter(cell => cell.value !== null);
    const worst = known.reduce((a, b) => a && a.value >= b.value ? a : b, null), text = map_text(field, worst, measure);
    const x = at.left + field.column * at.wide, y = at.y(field.row);
    const box = element('rect', { class: worst ? 'field shade' + shade(worst.value, low, high) : 'field none', x: x + 1, y: y + 1,
        width: at.wide - 2, height: at.high - 2, tabindex: 0, 'aria-label': text });
    const show = () => {
        const ratio = at.shown() / at.width;
        tip.textContent = text;
        tip.hidden = false;
        tip.style.left = Math.max(0, Math.min(x * ratio, at.shown() - tip.offsetWidth)) + 'px';
        tip.style.top = (y + at.high + 4) * ratio + 'px';
    };
    for (const name of ['mouseenter', 'focus', 'click'])
        box.addEventListener(name, show);
    for (const name of ['mouseleave', 'blur'])
        box.addEventListener(name, () => { tip.hidden = true; });
    svg.append(box, element('text', { class: 'value' + (worst && shade(worst.value, low, high) > 6 ? ' over' : ''), x: x + at.wide / 2,
        y: y + at.high / 2 + 4, 'text-anchor': 'middle' }, worst ? short(worst.value) : '-'));
}

function draw_map(place, list, measure) {
    const width = Math.max(300, Math.min(900, place.clientWidth || 800)), left = 62, high = 26, fields = fields_of(list);
    const rows = [...new Set(fields.map(field => field.row))].sort((a, b) => b - a), bottom = rows.length * high + 4;
    const values = fields.map(field => Math.max(...field.cells.map(cell => cell.value === null ? -Infinity : cell.value)))
        .filter(Number.isFinite);
    const low = measure === SHARE ? 1 : 0, top = Math.max(low + .1, ...values);
    const svg = element('svg', { viewBox: `0 0 ${width} ${bottom + 42}`, role: 'img', 'aria-label': 'heat map: ' + measure });
    const tip = element('div', { class: 'tip', hidden: '' });
    const at = { width, left, high, bottom, wide: (width - left - 14) / RATE_FIELDS, y: row => 4 + rows.indexOf(row) * high,
        shown: () => svg.getBoundingClientRect().width };
    map_axes(svg, rows, at);
    for (const field of fields)
        map_field(svg, field, measure, low, top, at, tip);
    place.replaceChildren(svg, tip);
    return [low, top];
}

function choice(name, options, change) {
    const select = element('select', {}, ...options.map(text => element('option', {}, text)));
    select.addEventListener('change', () => change(select.value));
    return element('label', {}, name + ' ', select);
}

function map_legend([low, high]) {
    return element('div', { class: 'scale' }, String(low), ...Array.from({ length: 10 }, (_, i) => element('i', { class: 'shade' + i })),
        digits(high, 2));
}

/* A section's heat map, with its choices. cells: lines of bench/map or of bench/map/speed. */
function heat_map(section, cells) {
    const speeds = cells.some(cell => cell.gbps !== undefined);
    const groups = [...new Set(cells.map(cell => speeds ? cell.group : cell.family))];
    const backends = [...new Set(cells.flatMap(cell => (cell.backends || []).map(result => result.backend)))];
    const state = { group: 'all', backend: backends[0], measure: speeds ? SHARE : Object.keys(MEASURES)[0] };
    const place = element('div', { class: 'chart map' }), scale = element('div', {}), controls = element('div', { class: 'controls' });
    const again = () => {
        const list = speeds ? speed_cells(cells) : map_cells(cells, state.backend, state.measure);
        scale.replaceChildren(map_legend(draw_map(place,
            list.filter(cell => cell.k && (state.group === 'all' || cell.group === state.group)), state.measure)));
    };
    const set = name => value => { state[name] = value; again(); };
    controls.append(choice(speeds ? 'group' : 'family', ['all', ...groups], set('group')));
    if (backends.length > 1)
        controls.append(choice('backend', backends, set('backend')));
    if (!speeds)
        controls.append(choice('worst', Object.keys(MEASURES), set('measure')));
    section.append(element('p', { class: 'soft' }, cells.length + ' cells' + (speeds ? ': ' + SHARE : ' of ' + backends.join(', ')) +
        '. A field shows its worst cell; a dash: none was measured.'), controls, place, scale);
    again();
    window.addEventListener('resize', again);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws curves as SVG: chart(place, { x, log_x, fer, ber }), each a figure of series and limits. */
'use strict';

const DASHES = ['', '7 4', '2 3', '9 3 2 3', '12 4'];

/* An element with attributes and children; texts become text nodes, never markup. */
function element(name, attributes, ...children) {
    const svg = ['svg', 'g', 'path', 'line', 'rect', 'circle', 'text', 'title', 'clipPath'].includes(name);
    const node = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
    for (const key in attributes || {})
        node.setAttribute(key, attributes[key]);
    node.append(...children.filter(child => child !== null && child !== undefined));
    return node;
}

function digits(value, n) {
    if (value === null || value === undefined || typeof value !== 'number')
        return value === null || value === undefined ? '' : String(value);
    if (Number.isInteger(value) && Math.abs(value) < 1e15)
        return String(value);
    return Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6 ? String(+value.toPrecision(n || 4))
                                                            : value.toExponential((n || 4) - 1);
}

function power(exponent) {
    const signs = '⁰¹²³⁴⁵⁶⁷⁸⁹';
    return '10' + (exponent < 0 ? '⁻' : '') + String(Math.abs(exponent)).replace(/\d/g, d => signs[d]);
}

/* [value, label] of an axis; room: how many labels fit. */
function ticks(low, high, log, room) {
    const list = [];
    if (log) {
        const from = Math.ceil(Math.log10(low) - 1e-9), to = Math.floor(Math.log10(high) + 1e-9);
        const step = Math.max(1, Math.ceil((to - from + 1) / room));
        const parts = to - from < 2 && room > 3 ? [1, 2, 5] : [1];
        for (let k = from - 1; k <= to; k += step)
            for (const part of parts) {
                const value = part * 10 ** k;
                if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
                    list.push([value, parts.length > 1 ? digits(value) : power(k)]);
            }
        return list;
    }
    const rough = (high - low) / room, unit = 10 ** Math.floor(Math.log10(rough));
    const step = unit * [1, 2, 5, 10].find(m => m * unit >= rough * (1 - 1e-9));
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++)
        list.push([k * step, String(+(k * step).toPrecision(6))]);
    return list;
}

/* From a value to a pixel. */
function scale(low, high, log, from, to) {
    const f = log ? Math.log10 : v => v;
    return v => from + (to - from) * (f(v) - f(low)) / (f(high) - f(low));
}

function describe(series, point, chart, kind) {
    const [x, y, low, high, frames, frame_errors, bit_errors] = point;
    const lines = [series.label, chart.x + ': ' + digits(x),
        (kind === 'ber' ? 'BER ' : 'FER ') + (y > 0 ? digits(y) : '0') + ', 95 %: ' + digits(low) + ' to ' + digits(high)];
    if (frames !== null)
        lines.push(frames + ' frames' + (frame_errors !== null ? ', ' + frame_errors + ' wrong' : '') +
            (bit_errors !== null ? ', ' + bit_errors + ' wrong bits' : ''));
    return lines.join('\n');
}

function colour(series) {
    return 'var(--c' + series.colour % 7 + ')';
}

/* The pixels of a figure, and what maps values to them. */
function layout(place, figure, state) {
    const width = Math.max(300, Math.min(1200, place.clientWidth || 800));
    const height = Math.round(Math.min(560, Math.max(300, width * .6)));
    const [left, right, top, bottom] = [58, 14, 10, 44];
    const log_x = state.log_x && figure.x[0] > 0;
    return { width, height, left, right, top, bottom, log_x,
        px: scale(figure.x[0], figure.x[1], log_x, left, width - right),
        py: scale(state.log_y ? figure.y[0] : 0, figure.y[1], state.log_y, height - bottom, top) };
}

function axes(svg, chart, figure, state, at) {
    const { width, height, left, right, top, bottom } = at;
    for (const [value, label] of ticks(figure.x[0], figure.x[1], at.log_x, Math.floor(width / 62))) {
        const x = at.px(value);
        svg.append(element('line', { class: 'grid', x1: x, x2: x, y1: top, y2: height - bottom }),
            element('text', { class: 'tick', x, y: height - bottom + 16, 'text-anchor': 'middle' }, label));
    }
    for (const [value, label] of ticks(state.log_y ? figure.y[0] : 0, figure.y[1], state.log_y, Math.floor(height / 40))) {
        const y = at.py(value);
        svg.append(element('line', { class: 'grid', x1: left, x2: width - right, y1: y, y2: y }),
            element('text', { class: 'tick', x: left - 6, y: y + 4, 'text-anchor': 'end' }, label));
    }
    svg.append(element('rect', { class: 'frame', x: left, y: top, width: width - left - right, height: height - top - bottom }),
        element('text', { x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle' }, chart.x),
        element('text', { transform: 'translate(13 ' + (top + height - bottom) / 2 + ') rotate(-90)', 'text-anchor': 'middle' },
            (state.kind === 'ber' ? 'bit' : 'frame') + ' error rate'));
}

function path(points, at) {
    return points.map((p, i) => (i ? 'L' : 'M') + at.px(p[0]).toFixed(1) + ' ' + at.py(p[1]).toFixed(1)).join('');
}

/* A point, its interval, or the arrow of a point without errors; and the place for the pointer. */
function mark(group, series, point, chart, state, at, tip) {
    const [x, y, low, high, , , , arrow_x] = point, floor = state.log_y ? 0 : -1;
    const cx = at.px(y > 0 ? x : arrow_x), stroke = colour(series), text = describe(series, point, chart, state.kind);
    const cy = at.py(y > 0 ? y : high), bottom = at.height - at.bottom;
    if (y > 0) {
        const down = low > floor && low > 0 ? Math.min(bottom, at.py(low)) : bottom;
        group.append(element('path', { class: 'interval', d: `M${cx} ${at.py(high)}V${down}M${cx - 4} ${at.py(high)}h8M${cx - 4} ${down}h8`, stroke, fill: 'none' }),
            element('circle', { class: 'point', cx, cy, r: 3.5, fill: stroke }));
    } else {
        const end = Math.min(bottom, cy + 26);
        group.append(element('path', { class: 'arrow', d: `M${cx} ${cy}V${end}M${cx - 4} ${end - 6}L${cx} ${end}L${cx + 4} ${end - 6}`, stroke, fill: 'none', 'stroke-width': 1.6 }));
    }
    const hit = element('circle', { class: 'hit', cx, cy, r: 10, tabindex: 0, 'aria-label': text });
    const show = () => {
        const ratio = at.shown() / at.width;
        tip.textContent = text;
        tip.hidden = false;
        tip.style.left = Math.max(0, Math.min(cx * ratio + 12, at.shown() - tip.offsetWidth)) + 'px';
        tip.style.top = (cy * ratio + 12) + 'px';
    };
    for (const name of ['mouseenter', 'focus', 'click'])
        hit.addEventListener(name, show);
    for (const name of ['mouseleave', 'blur'])
        hit.addEventListener(name, () => { tip.hidden = true; });
    group.append(hit);
}

function draw(place, chart, state) {
    const figure = chart[state.kind], tip = element('div', { class: 'tip', hidden: '' });
    const at = layout(place, figure, state), id = 'clip' + chart.number;
    const svg = element('svg', { viewBox: `0 0 ${at.width} ${at.height}`, role: 'img', 'aria-label': 'curves of error rates' });
    at.shown = () => svg.getBoundingClientRect().width;
    axes(svg, chart, figure, state, at);
    svg.append(element('clipPath', { id }, element('rect', { x: at.left, y: at.top - 5,
        width: at.width - at.left - at.right, height: at.height - at.top - at.bottom + 5 })));
    for (const limit of state.limits ? figure.limits : [])
        svg.append(element('path', { class: 'limit', d: path(limit.points.map(p => [p[0], Math.max(p[1], figure.y[0] / 10)]), at),
            fill: 'none', stroke: 'var(--soft)', 'stroke-dasharray': limit.line ? '2 3' : '9 3 2 3', 'clip-path': `url(#${id})` },
            element('title', {}, limit.label)));
    for (const series of figure.series) {
        if (state.off.has(series.label))
            continue;
        const group = element('g', { class: 'series', 'data-label': series.label });
        const drawn = series.points.filter(p => p[1] > 0);
        if (drawn.length)
            group.append(element('path', { class: 'curve', d: path(drawn, at), fill: 'none', stroke: colour(series),
                'stroke-width': 1.8, 'stroke-dasharray': DASHES[series.colour % 5] }));
        for (const point of series.points)
            mark(group, series, point, chart, state, at, tip);
        svg.append(group);
    }
    place.replaceChildren(svg, tip);
}

function key(series) {
    return element('svg', { width: 28, height: 10, 'aria-hidden': 'true' },
        element('path', { d: 'M0 5H28', stroke: colour(series), 'stroke-width': 1.8, 'stroke-dasharray': DASHES[series.colour % 5] }),
        element('circle', { cx: 14, cy: 5, r: 3.5, fill: colour(series) }));
}

/* A limit's key; it switches nothing. */
function limit_key(limit) {
    return element('button', { disabled: '', class: 'guide' }, element('svg', { width: 28, height: 10, 'aria-hidden': 'true' },
        element('path', { d: 'M0 5H28', stroke: 'var(--soft)', 'stroke-dasharray': limit.line ? '2 3' : '9 3 2 3' })), limit.label);
}

function box(label, checked, change) {
    const input = element('input', { type: 'checkbox' });
    input.checked = checked;
    input.addEventListener('change', () => change(input.checked));
    return element('label', {}, input, ' ' + label);
}

/* Puts a chart with its controls and its legend into the section. */
function chart(section, data) {
    const place = element('div', { class: 'chart' }), legend = element('div', { class: 'legend' });
    const state = { kind: 'fer', log_x: data.log_x, log_y: true, limits: true, off: new Set() };
    const controls = element('div', { class: 'controls' });
    const again = () => {
        draw(place, data, state);
        legend.replaceChildren(...data[state.kind].series.map(series => {
            const button = element('button', { type: 'button', 'aria-pressed': !state.off.has(series.label) }, key(series), series.label);
            button.addEventListener('click', () => {
                if (!state.off.delete(series.label))
                    state.off.add(series.label);
                again();
            });
            return button;
        }), ...(state.limits ? data[state.kind].limits.map(limit_key) : []));
    };
    if (data.ber)
        controls.append(box('bit error rate', false, on => { state.kind = on ? 'ber' : 'fer'; again(); }));
    controls.append(box('logarithmic y', true, on => { state.log_y = on; again(); }));
    if (data.fer.x[0] > 0)
        controls.append(box('logarithmic x', data.log_x, on => { state.log_x = on; again(); }));
    if (data.fer.limits.length)
        controls.append(box('limits', true, on => { state.limits = on; again(); }));
    section.append(controls, place, legend);
    again();
    let width = place.clientWidth;
    window.addEventListener('resize', () => {
        if (place.clientWidth !== width) {
            width = place.clientWidth;
            again();
        }
    });
}

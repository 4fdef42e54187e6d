/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds the page from the results that stand in it as JSON. */
'use strict';

const data = JSON.parse(document.getElementById('results').textContent);
const main = document.querySelector('main');

function section(title) {
    const node = element('section', {}, element('h2', {}, title));
    main.append(node);
    return node;
}

function table(head, rows, kind) {
    return element('div', { class: 'wide' }, element('table', { class: kind || '' },
        element('thead', {}, element('tr', {}, ...head.map(text => element('th', { scope: 'col' }, text)))),
        element('tbody', {}, ...rows.map(row => element('tr', {}, ...row.map(text => element('td', {}, text)))))));
}

/* A list of [name, value]; names without a value are left out. */
function facts(list) {
    return element('div', { class: 'wide' }, element('table', { class: 'texts' }, element('tbody', {},
        ...list.filter(([, value]) => value !== undefined && value !== null && value !== '')
            .map(([name, value]) => element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, String(value)))))));
}

const interval = (low, high) => typeof low === 'number' && typeof high === 'number' ? digits(low, 3) + ' to ' + digits(high, 3) : '';

const COLUMNS = [
    ['Eb/N0, dB', p => digits(p.ebn0_db)], ['Es/N0, dB', p => digits(p.esn0_db)],
    ['FER', p => digits(p.fer, 3)], ['95 % interval', p => interval(p.fer_lo, p.fer_hi)],
    ['BER', p => digits(p.ber, 3)], ['95 % interval of BER', p => interval(p.ber_lo, p.ber_hi)],
    ['frames', p => digits(p.frames)], ['wrong', p => digits(p.frame_errors)], ['bits', p => digits(p.bits)],
    ['wrong bits', p => digits(p.bit_errors)], ['undetected', p => digits(p.undetected)], ['failed', p => digits(p.failed)],
    ['iterations', p => digits(p.iterations_mean, 3)], ['Mb/s', p => digits(p.info_mbps, 3)],
    ['seconds', p => digits(p.seconds, 3)], ['stopped by', p => digits(p.stop)]];

/* Columns that no point fills are left out. */
function points(list) {
    const names = [...new Set(list.flatMap(p => Object.keys(p.set || {})))].filter(name => !/\.e[bs]n0_db$/.test(name));
    const columns = [...names.map(name => [name, p => digits((p.set || {})[name])]), ...COLUMNS]
        .filter(([, cell]) => list.some(p => cell(p) !== ''));
    return table(columns.map(([name]) => name), list.map(p => columns.map(([, cell]) => cell(p))));
}

/* Flow style, which is JSON, so every value is as it was. */
function yaml(run) {
    const lines = ['fecrun: 1'];
    if (run.seed !== undefined)
        lines.push('seed: ' + run.seed);
    lines.push('pipeline:');
    for (const stage of run.pipeline)
        lines.push('  - ' + Object.keys(stage).map(name => JSON.stringify(name) + ': ' + JSON.stringify(stage[name])).join(', '));
    for (const key of ['sweep', 'stop'])
        if (run[key] && Object.keys(run[key]).length)
            lines.push(key + ': ' + JSON.stringify(run[key]));
    return lines.join('\n') + '\n';
}

function pipeline(run) {
    const rows = run.pipeline.map(stage => {
        const name = Object.keys(stage)[0], parameters = stage[name] || {};
        const id = parameters.id || name;
        return [name, (run.backends || {})[id] || '', Object.keys(parameters).map(key =>
            key + ': ' + (typeof parameters[key] === 'object' ? JSON.stringify(parameters[key]) : parameters[key])).join(', ')];
    });
    return table(['stage', 'backend', 'parameters'], rows, 'texts');
}

const list = (items, text) => (items || []).map(text).join('\n');

function machine(run) {
    const devices = list(run.devices, d => [d.provider, d.name, d.available === false ? 'not available: ' + d.reason : '']
        .filter(text => text).join(', '));
    return facts([['processor', run.cpu], ['instruction set', run.isa], ['threads', run.threads], ['frames a batch', run.batch],
        ['batches in flight', run.in_flight], ['devices', devices], ['fecrun', run.fecrun], ['seed', run.seed],
        ['plugins', (run.plugins || []).filter(p => p.loaded).map(p => p.name + ' ' + p.version).join(', ')]]);
}

function repeat(run, node) {
    node.append(element('h3', {}, 'How to repeat'),
        element('p', {}, 'Save this as a file and run it with fecrun ' + (run.fecrun || '') + ': fecrun run FILE.yaml'),
        element('pre', { class: 'repeat' }, yaml(run)));
}

function compared(lines, node) {
    const all = lines.find(line => line.type === 'compared'), each = lines.filter(line => line !== all);
    const scalar = line => Object.keys(line).filter(key => key !== 'type' && (typeof line[key] !== 'object' || line[key] === null));
    if (all)
        node.append(element('p', { class: 'verdict' }, (all.a || 'A') + ' and ' + (all.b || 'B') + ': ' +
            (all.every_frame_alike ? 'every frame alike' : all.every_count_alike ? 'every count alike' : all.equally_good ? 'equally good' : 'not equally good') +
            (typeof all.gap_db === 'number' ? ', gap ' + digits(all.gap_db, 3) + ' dB at FER ' + digits(all.gap_fer) : '')));
    if (each.length) {
        const names = [...new Set(each.flatMap(scalar))];
        node.append(table(names, each.map(line => names.map(name => digits(line[name])))));
    }
}

function file(result) {
    const node = section(result.label), run = result.run;
    if (result.points.length)
        node.append(points(result.points));
    if (result.points.length && !result.end)
        node.append(element('p', { class: 'soft' }, 'The file has no end line: the run was stopped, or still goes on.'));
    if (result.cells.length)
        heat_map(node, result.cells);
    if (result.compare.length)
        compared(result.compare, node);
    if (run && run.pipeline) {
        node.append(element('h3', {}, 'Pipeline and plan'), pipeline(run));
        node.append(element('h3', {}, 'Machine and versions'), machine(run));
        repeat(run, node);
    }
}

function bars(panel) {
    const node = section(panel.title), most = Math.max(...panel.rows.flatMap(row => row.values.filter(v => v !== null)), 0);
    const grid = element('div', { class: 'bars' });
    for (const row of panel.rows) {
        const cell = element('div', {});
        row.values.forEach((value, i) => {
            if (value === null)
                return;
            const bar = element('div', { class: i ? 'bar second' : 'bar' }, element('i', {}), digits(value, 3) + ' ' + panel.names[i]);
            bar.firstChild.style.width = 60 * value / (most || 1) + '%';
            cell.append(bar);
        });
        grid.append(element('div', {}, row.label), cell);
    }
    node.append(grid);
}

data.charts.forEach((figure, number) => {
    figure.number = number;
    chart(section('Curves' + (data.charts.length > 1 ? ' over ' + figure.x : '')), figure);
});
data.bars.forEach(bars);
data.files.forEach(file);

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes t/data again: pack.py VECTORS TABLES CURVES

VECTORS is the directory of the reference vectors (conv/, crc/, noisy/,
nr_ldpc/, nr_polar/, lte_turbo/, each with an index.csv),
TABLES that of the code tables, CURVES that of published error rates. Everything goes beside this script. Needs no module beyond
Python's own.
"""
import ast
import csv
import hashlib
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = ["conv_codes.csv", "conv_golden.csv", "crc.csv", "dvbs2_ldpc.csv", "lte_qpp.csv",
          "lte_subblock_permutation.csv", "lte_turbo_golden.csv", "nr_ldpc_bg1.csv",
          "nr_ldpc_bg2.csv", "nr_ldpc_golden.csv", "nr_ldpc_lifting.csv", "nr_polar_golden.csv",
          "nr_polar_interleaver.csv", "nr_polar_sequence.csv", "nr_polar_subblock.csv",
          "puncturing.csv", "wifi_ldpc.csv", "wimax_ldpc.csv"]
NOISY = {"conv"}  # families of noisy/ that are taken whole
# and of NR LDPC and LTE turbo, whose messages are taken packed, so many frames
NOISY_TURBO = {"k1024": 64, "k6144": 16}
NOISY_LDPC = {"bg1_z384_r13": 8, "bg1_z384_r89": 16, "bg2_z52_r15": 64}


def read_npy(path):
    """dtype, shape and the bytes of a version 1.0 file of items of one byte."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", path
    size = 10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:size].decode())
    assert header["descr"] in ("|u1", "|i1") and not header["fortran_order"], path
    frames, items = header["shape"]
    assert len(data) == size + frames * items, path
    return header["descr"], header["shape"], data[size:]


def write_npy(path, descr, shape, payload):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }" % (descr, *shape)
    text = text.ljust((len(text) + 11 + 63) // 64 * 64 - 11) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + payload)


def rows(path):
    descr, (frames, items), data = read_npy(path)
    return [data[i * items:(i + 1) * items] for i in range(frames)]


def read_index(directory):
    with open(os.path.join(directory, "index.csv"), newline="") as file:
        return list(csv.DictReader(file))


def write_index(directory, table, columns):
    with open(os.path.join(directory, "index.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(table)


def fresh(name):
    directory = os.path.join(HERE, name)
    shutil.rmtree(directory, ignore_errors=True)
    os.mkdir(directory)
    return directory


def copy(source, target, names):
    for name in sorted(names):
        shutil.copyfile(os.path.join(source, name), os.path.join(target, name))


CODES = {("133 171", "none"): "ieee80211", ("171 133", "none"): "dvb",
         ("171 133", "second"): "ccsds", ("133 171 165", "none"): "lte_tbcc"}


def pack_conv(vectors):
    """All but tb_d0..2, which are every third bit of tb_cw. The names of codes are those of
    conv_codes.csv; of the puncturing the rate is enough, for code and scheme have one name."""
    source, target = os.path.join(vectors, "conv"), fresh("conv")
    table = []
    for row in read_index(source):
        code = CODES[row["generators_octal_in_output_order"], row["inverted_output"]]
        rate = row["puncture"].split()[0]
        table.append({"code": code, "termination": row["termination"], "msg": row["msg_file"],
                      "coded": row["coded_file"], "frames": row["frames"], "bits": row["n_info"],
                      "rate": rate if rate not in ("1/2", "1/3", "36.212") else "", "e": row["E"]})
    copy(source, target, {row[c] for row in table for c in ("msg", "coded")})
    write_index(target, table,
                ["code", "termination", "msg", "coded", "frames", "bits", "rate", "e"])


def pack_crc(vectors):
    """The reference vectors hold the parity alone; here it stands behind its message."""
    source, target = os.path.join(vectors, "crc"), fresh("crc")
    table = []
    for row in read_index(source):
        name = row["crc"][3:].lower()
        msg = rows(os.path.join(source, row["msg_file"]))
        parity = rows(os.path.join(source, row["parity_file"]))
        frames = [m + p for m, p in zip(msg, parity, strict=True)]
        write_npy(os.path.join(target, row["parity_file"]), "|u1", (len(frames), len(frames[0])),
                  b"".join(frames))
        table.append({"crc": name, "msg": row["msg_file"], "coded": row["parity_file"],
                      "frames": row["frames"]})
    copy(source, target, {row["msg"] for row in table})
    write_index(target, table, ["crc", "msg", "coded", "frames"])


def pack_noisy(vectors):
    source, target = os.path.join(vectors, "noisy"), fresh("noisy")
    table = [row for row in read_index(source) if row["family"] in NOISY]
    for row in table:
        row.update(msg=row["msg_file"], llr=row["llr_file"])
    copy(source, target, {row[c] for row in table for c in ("msg", "llr")})
    write_index(target, table, ["family", "case", "msg", "llr", "frames", "ebn0_db", "llr_scale"])


def pack_bits(source, target, items, frames=None):
    """The first items of each of the first rows of a .npy of bits, packed, as raw file."""
    with open(target, "wb") as file:
        for row in rows(source)[:frames]:
            assert not any(row[items:])
            file.write(bytes(sum(bit << 7 - i for i, bit in enumerate(row[at:min(at + 8, items)]))
                             for at in range(0, items, 8)))


def pack_noisy_ldpc(vectors):
    """A line's llrs is the length of a frame: what of the word was sent, from its start on."""
    source, target = os.path.join(vectors, "noisy"), os.path.join(HERE, "noisy")
    table = []
    for row in read_index(source):
        if row["family"] != "nr_ldpc":
            continue
        frames = NOISY_LDPC[row["case"]]
        graph, z, _ = row["case"].split("_")
        row.update(bg=graph[2:], z=z[1:], frames=frames, llr=row["llr_file"],
                   msg=row["msg_file"].replace(".npy", ".bin"))
        pack_bits(os.path.join(source, row["msg_file"]), os.path.join(target, row["msg"]),
                  int(row["msg_bits"]), frames)
        descr, _, data = read_npy(os.path.join(source, row["llr_file"]))
        items = int(row["llrs"])
        write_npy(os.path.join(target, row["llr"]), descr, (frames, items), data[:frames * items])
        table.append(row)
    with open(os.path.join(target, "nr_ldpc.csv"), "w", newline="") as file:
        columns = ["bg", "z", "msg", "llr", "frames", "msg_bits", "llrs", "ebn0_db", "llr_scale"]
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(table)


def pack_nr_ldpc(vectors):
    """Messages without their fillers, which the reference vectors hold as zeros at the end."""
    source, target = os.path.join(vectors, "nr_ldpc"), fresh("nr_ldpc")
    table, done = [], set()
    for row in read_index(source):
        bits = int(row["K"]) - int(row["n_filler"])
        line = {"bg": row["bg"], "z": row["z"], "fillers": row["n_filler"], "bits": bits,
                "n": row["N"], "frames": row["frames"], "e": row["E"], "rv": row["rv"],
                "qm": row["Qm"], "ncb": row["Ncb"]}
        for column, file, items in (("msg", "msg_file", bits), ("cw", "cw_file", int(row["N"])),
                                    ("rm", "rm_file", int(row["E"] or 0))):
            line[column] = row[file].replace(".npy", ".bin")
            if row[file] and row[file] not in done:
                pack_bits(os.path.join(source, row[file]), os.path.join(target, line[column]),
                          items)
                done.add(row[file])
        table.append(line)
    write_index(target, table, ["bg", "z", "fillers", "bits", "n", "frames", "msg", "cw", "rm",
                                "e", "rv", "qm", "ncb"])


def pack_noisy_turbo(vectors):
    """LLRs of the whole word d0 d1 d2."""
    source, target = os.path.join(vectors, "noisy"), os.path.join(HERE, "noisy")
    table = []
    for row in read_index(source):
        if row["family"] != "lte_turbo":
            continue
        frames = NOISY_TURBO[row["case"]]
        row.update(k=row["msg_bits"], frames=frames, llr=row["llr_file"], crc=row["crc_in_msg"],
                   msg=row["msg_file"].replace(".npy", ".bin"))
        pack_bits(os.path.join(source, row["msg_file"]), os.path.join(target, row["msg"]),
                  int(row["k"]), frames)
        descr, (_, items), data = read_npy(os.path.join(source, row["llr_file"]))
        write_npy(os.path.join(target, row["llr"]), descr, (frames, items), data[:frames * items])
        table.append(row)
    with open(os.path.join(target, "lte_turbo.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, ["k", "msg", "llr", "frames", "crc", "ebn0_db", "llr_scale"],
                                lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(table)


def pack(frames):
    return b"".join(bytes(sum(bit << 7 - i for i, bit in enumerate(row[at:at + 8]))
                          for at in range(0, len(row), 8)) for row in frames)


def pack_lte_turbo(vectors):
    """Messages without their fillers, which the reference vectors hold as zeros at the start, and
    the three streams as one word."""
    source, target = os.path.join(vectors, "lte_turbo"), fresh("lte_turbo")
    table = []
    for row in read_index(source):
        fillers = int(row["n_filler"])
        streams = [rows(os.path.join(source, row["d%d_file" % s])) for s in range(3)]
        msg = rows(os.path.join(source, row["msg_file"]))
        assert not any(any(m[:fillers]) for m in msg)
        line = {"k": row["K"], "fillers": fillers, "bits": int(row["K"]) - fillers,
                "word": 3 * (int(row["K"]) + 4), "frames": row["frames"], "e": row["E"],
                "rv": row["rv"], "ncb": row["Ncb"], "msg": row["msg_file"].replace(".npy", ".bin"),
                "cw": row["msg_file"].replace("msg", "cw").replace(".npy", ".bin"),
                "rm": row["rm_file"].replace(".npy", ".bin")}
        contents = {"msg": [m[fillers:] for m in msg],
                    "cw": [b"".join(d) for d in zip(*streams, strict=True)]}
        if line["rm"]:
            contents["rm"] = rows(os.path.join(source, row["rm_file"]))
        for column, frames in contents.items():
            with open(os.path.join(target, line[column]), "wb") as file:
                file.write(pack(frames))
        table.append(line)
    write_index(target, table, ["k", "fillers", "bits", "word", "frames", "msg", "cw", "rm", "e",
                                "rv", "ncb"])


def pack_noisy_polar(vectors):
    """LLRs of what the uplink sends: the order behind the channel interleaver."""
    source, target = os.path.join(vectors, "noisy"), os.path.join(HERE, "noisy")
    table = []
    for row in read_index(source):
        if row["family"] != "nr_polar":
            continue
        row.update(bits=row["msg_bits"], e=row["llrs"], llr=row["llr_file"],
                   msg=row["msg_file"].replace(".npy", ".bin"))
        pack_bits(os.path.join(source, row["msg_file"]), os.path.join(target, row["msg"]),
                  int(row["bits"]))
        copy(source, target, [row["llr"]])
        table.append(row)
    with open(os.path.join(target, "nr_polar.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, ["bits", "e", "msg", "llr", "frames", "ebn0_db", "llr_scale"],
                                lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(table)


def pack_nr_polar(vectors):
    """Messages, with their CRC, words, and what is sent: f of the uplink, e of the downlink."""
    source, target = os.path.join(vectors, "nr_polar"), fresh("nr_polar")
    table = []
    for row in read_index(source):
        line = {"link": row["link"].lower(), "bits": row["A"], "crc": row["crc"][3:].lower(),
                "k": row["K"], "e": row["E"], "n": row["N"], "n_max": row["n_max"],
                "frames": row["frames"]}
        for column, file in (("msg", "msg_file"), ("coded", "c_file"), ("word", "d_file"),
                             ("sent", "f_file" if row["f_file"] else "e_file")):
            name = row[file].replace(".npy", ".bin")
            line[column] = name
            with open(os.path.join(target, name), "wb") as out:
                out.write(pack(rows(os.path.join(source, row[file]))))
        table.append(line)
    write_index(target, table, ["link", "bits", "crc", "k", "e", "n", "n_max", "frames", "msg",
                                "coded", "word", "sent"])


def pack_tables(tables):
    copy(tables, fresh("tables"), TABLES)


def pack_curves(curves):
    for source, target in (("ldpc.csv", "ldpc_curves.csv"),
                           ("nr_ldpc_snr_at_bler.csv", "nr_ldpc_snr.csv"),
                           ("polar.csv", "polar_curves.csv"),
                           ("turbo.csv", "turbo_curves.csv")):
        shutil.copyfile(os.path.join(curves, source), os.path.join(HERE, target))


def write_sums():
    lines = []
    for directory, names, files in os.walk(HERE):
        names.sort()
        for name in files:
            path = os.path.relpath(os.path.join(directory, name), HERE)
            if path.endswith((".npy", ".bin", ".csv", ".i1", ".i4")):
                with open(os.path.join(HERE, path), "rb") as file:
                    lines.append((path, hashlib.sha256(file.read()).hexdigest()))
    with open(os.path.join(HERE, "SHA256SUMS"), "w") as file:
        file.writelines("%s  %s\n" % (digest, path) for path, digest in sorted(lines))
    return sum(os.path.getsize(os.path.join(HERE, path)) for path, _ in lines)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    pack_conv(sys.argv[1])
    pack_crc(sys.argv[1])
    pack_noisy(sys.argv[1])
    pack_noisy_ldpc(sys.argv[1])
    pack_noisy_turbo(sys.argv[1])
    pack_noisy_polar(sys.argv[1])
    pack_nr_ldpc(sys.argv[1])
    pack_nr_polar(sys.argv[1])
    pack_lte_turbo(sys.argv[1])
    pack_tables(sys.argv[2])
    pack_curves(sys.argv[3])
    print("%d bytes" % write_sums())


if __name__ == "__main__":
    main()

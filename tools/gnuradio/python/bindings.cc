/* SPDX-License-Identifier: BSD-2-Clause */
/* gnuradio.fecrun: the blocks for Python. */
#include <gnuradio/fecrun/coder.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using gr::fecrun::coder;

PYBIND11_MODULE(fecrun_python, module)
{
    py::module::import("gnuradio.gr"); /* has the classes of which coder is one */

    py::class_<coder, gr::tagged_stream_block, gr::block, gr::basic_block, std::shared_ptr<coder>>(
        module, "coder", "A pipeline of fecrun as a block; decoder() and encoder() make it.")
        .def("set", &coder::set, py::arg("sets"), py::call_guard<py::gil_scoped_release>(),
             "Sets [\"STAGE.PARAM=value\"] for the next frames; the size of a frame stays.")
        .def("input_items", &coder::input_items, "Items of the input that a frame takes.")
        .def("output_items", &coder::output_items, "Items of the output that a frame gives.")
        .def("batch", &coder::batch, "Most frames of one call of the pipeline.")
        .def("frames", &coder::frames, "How many frames went through.")
        .def("failed", &coder::failed, "How many of them a decoder or CRC called bad.");

    module.def(
        "decoder", &gr::fecrun::decoder::make, py::arg("pipeline"),
        py::arg("sets") = std::vector<std::string>(), py::arg("positive") = "one",
        py::arg("length_tag") = "", py::arg("frames") = 0,
        "Makes a block of a pipeline file, or of the text of one, from soft symbols to bits.\n"
        "\n"
        "sets        [\"STAGE.PARAM=value\"], as --set of `fecrun run`\n"
        "positive    the bit of positive soft symbols: \"one\" (GNU Radio) or \"zero\" (fecrun)\n"
        "length_tag  key of the tag with a packet's length; \"\": no packets\n"
        "frames      frames of a call, which waits for them, and most of a packet; 0: the\n"
        "            pipeline's `batch:`, or what is there");
    module.def(
        "encoder", &gr::fecrun::encoder::make, py::arg("pipeline"),
        py::arg("sets") = std::vector<std::string>(), py::arg("length_tag") = "",
        py::arg("frames") = 0,
        "Makes a block of a pipeline file, or of the text of one, from bits to coded bits or\n"
        "symbols. The arguments are those of decoder().");
}

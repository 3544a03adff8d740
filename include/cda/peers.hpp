// The methods ours are compared with (the library cda::peers): CCA, DAC, LSCCA, PCA, SCL, SSC and TCA.
#pragma once

namespace cda {

// From now on methods() has them, and with them whatever takes a method by its name, such as fit(), or shows a model of
// theirs, such as report_html(). Any thread may call, any number of times.
void add_peers();

}  // namespace cda

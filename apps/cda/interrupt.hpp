// Ctrl-C, SIGTERM and SIGHUP. The first signal asks: observers see it and the work stops at its next step. The second,
// or nine tenths of a second without an answer (twice that in the midst of writing), ends the process on the spot.
// Either way the exit code is 128 + signal. Where partial results are to be kept, the first signal only asks to finish,
// and there is no deadline.
#pragma once

#include <string>

namespace cda::command {

void watch_signals(bool errors_as_json);

// The signal that asked to stop, or 0.
int stop_signal();

// Throws an Error with code "interrupted" if a signal asked to stop.
void stop_if_asked();

// From now on a first signal is no reason to stop but to finish with what there is. Throws if one has come already.
void keep_partial_results();
bool partial_wanted();  // such a signal has come

// The end of work that kept a partial result: throws an Error that says so. Nothing where no signal has come.
void end_after_partial_result(const std::string& kept);

// From now on an end on the spot says nothing: where several processes belong together, the signal may come from the
// launcher, because another one failed and has said so.
void end_without_words();

// Whether a line is drawn on the terminal that has to go before an end on the spot says so.
void line_to_clear(bool drawn);

// While one of these lives, outputs are being written: the deadline waits for them once, so that they are put in place
// together. Not for ever, since a pipe may have no reader; what was staged is then removed.
class WhileWriting {
 public:
  WhileWriting();
  ~WhileWriting();
  WhileWriting(const WhileWriting&) = delete;
  WhileWriting& operator=(const WhileWriting&) = delete;
};

}  // namespace cda::command

#pragma once
/// What a paper says beside what carom finds: chapters of sections of items, as data. The tool writes the report.
///
/// To add a paper: a file in this folder with a function that makes its Chapter, and a line in papers.cpp. Everything
/// is computed anew when the function is called, through the same laws and engines that users call.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/map.h"
#include "carom/analysis/picture.h"

namespace carom::reproduce {

enum class Verdict {
  reproduced,        ///< the paper's value
  corrected,         ///< the value, after a misprint is corrected; the note says which one and why
  not_reproducible,  ///< the paper does not give what is needed; the note says what
  differs,           ///< another value than the paper's, and no misprint explains it; the note says what is known
};

/// `reproduced`, `reproduced after correcting a misprint`, `not reproducible`, `differs`.
std::string_view verdict_words(Verdict verdict);

/// One statement of the paper that can be checked.
struct Item {
  std::string where;                 ///< in the paper: "Theorem 3.1", "Table 1, row 12", "eq. (17)", "Fig. 8"
  std::string claim;                 ///< what is compared, in words
  std::string paper;                 ///< the paper's value, as text
  std::string ours;                  ///< ours, as text
  std::optional<double> difference;  ///< relative where it makes sense (the claim says otherwise); none: not a number
  double tolerance = 0.0;            ///< below which the difference counts as none
  Verdict verdict = Verdict::reproduced;
  std::string note;  ///< may be empty
};

struct Figure {
  std::string name;  ///< of its file, without extension: plain letters, digits and dashes
  std::string caption;
  Picture picture;
};

/// A map with its place in the report.
struct MapFigure {
  std::string name, caption;
  Map map;
};

/// A file beside the report, for what is too long to print: a table as comma-separated values.
struct Attachment {
  std::string name;     ///< of the file, with extension: plain letters, digits, dashes and one point
  std::string caption;  ///< what stands in it
  std::string text;     ///< its content
};

struct Section {
  std::string heading;
  std::string text;  ///< Markdown, may be empty: what is done here and how
  std::vector<Item> items;
  std::vector<Figure> figures;
  std::vector<MapFigure> maps;
  std::vector<Attachment> attachments{};
};

struct Chapter {
  std::string id;        ///< on the command line
  std::string title;     ///< of the paper
  std::string citation;  ///< authors, journal, year
  std::vector<Section> sections;
};

/// Called with words on what is being done, for progress; may throw to stop.
using Announce = std::function<void(std::string_view)>;

struct Paper {
  std::string_view id;
  std::string_view title;
  Chapter (*reproduce)(const Announce& announce);
};

/// In the order of the report.
std::span<const Paper> papers();

/// An item whose paper value is a number; the verdict is `reproduced` where the relative difference (absolute where the
/// value is 0) is within the tolerance, else `differs`.
Item number_item(std::string where, std::string claim, double paper, double ours, double tolerance);

/// An item that holds or does not: a theorem checked on many cases. `worst` is the largest violation found.
Item statement_item(std::string where, std::string claim, double worst, double tolerance, std::string how);

}  // namespace carom::reproduce

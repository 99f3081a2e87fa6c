#include "reproduce/report_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/version.h"
#include "common/compression.h"

namespace carom::app {
namespace {

using reproduce::Chapter;
using reproduce::Item;
using reproduce::Section;
using reproduce::Verdict;

constexpr Verdict kVerdicts[] = {Verdict::reproduced, Verdict::corrected, Verdict::not_reproducible, Verdict::differs};
constexpr std::string_view kVerdictClasses[] = {"good", "corrected", "missing", "differs"};

constexpr std::string_view kIntroduction =
    "What the source papers say beside what carom finds. Every number is computed anew by the laws and engines that "
    "users call; a misprint that was corrected is named, with the reason.";

std::string difference_text(const Item& item) {
  if (!item.difference) return "–";
  return *item.difference == 0.0 ? "0" : fmt::format("{:.1e}", *item.difference);
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += letter;
    }
  }
  return result;
}

/// Text of a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '|' || letter == '*') result += '\\';
    result += letter == '\n' ? ' ' : letter;
  }
  return result;
}

/// A pair of marks in a text becomes an element: `code` and **strong**.
std::string with_element(std::string text, std::string_view mark, std::string_view element) {
  std::size_t from = 0;
  while (true) {
    const std::size_t open = text.find(mark, from);
    if (open == std::string::npos) return text;
    const std::size_t close = text.find(mark, open + mark.size());
    if (close == std::string::npos) return text;
    const std::string inside = text.substr(open + mark.size(), close - open - mark.size());
    const std::string replacement = fmt::format("<{0}>{1}</{0}>", element, inside);
    text.replace(open, close + mark.size() - open, replacement);
    from = open + replacement.size();
  }
}

/// The little Markdown that chapters use: paragraphs, `code`, **strong**.
std::string paragraphs(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    if (end > 0) {
      const std::string paragraph = with_element(escaped(text.substr(0, end)), "`", "code");
      result += fmt::format("<p>{}</p>\n", with_element(paragraph, "**", "strong"));
    }
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return result;
}

std::string anchor(const Chapter& chapter, std::size_t section) {
  return fmt::format("{}-{}", chapter.id, section + 1);
}

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1b2330; --soft: #5a6575; --line: #d5dbe3; --paper: #fff; --panel: #f5f7fa;
  --good: #006b4f; --corrected: #7a5200; --missing: #5a6575; --differs: #a52a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #a3adbb; --line: #353d49; --paper: #14181e;
  --panel: #1b2129; --good: #4fd1a5; --corrected: #f0b95a; --missing: #a3adbb; --differs: #ff8f66; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1100px;
  margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
.citation, .caption { color: var(--soft); }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); }
td.number { font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
.items { table-layout: fixed; min-width: 860px; } .items th:nth-child(1) { width: 12%; }
.items th:nth-child(2) { width: 38%; } .items th:nth-child(5) { width: 8%; } .items th:nth-child(6) { width: 11%; }
.note { color: var(--soft); font-size: 13px; } code { font-size: 0.92em; background: var(--panel); padding: 0 3px; }
.good { color: var(--good); } .corrected { color: var(--corrected); } .missing { color: var(--missing); }
.differs { color: var(--differs); font-weight: 600; }
figure { margin: 1.5rem 0; } figure img { max-width: 100%; background: #fff; }
)";

std::string verdict_html(Verdict verdict) {
  return fmt::format("<span class=\"{}\">{}</span>", kVerdictClasses[static_cast<std::size_t>(verdict)],
                     reproduce::verdict_words(verdict));
}

std::string item_html(const Item& item) {
  const std::string note = item.note.empty() ? "" : fmt::format("<div class=\"note\">{}</div>", escaped(item.note));
  return fmt::format(
      "<tr><td>{}</td><td>{}{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td><td>{}</td></tr>\n",
      escaped(item.where), escaped(item.claim), note, escaped(item.paper), escaped(item.ours), difference_text(item),
      verdict_html(item.verdict));
}

std::string figure_html(const std::string& name, const std::string& caption, const ReportPictures& pictures) {
  const auto found = pictures.find(name);
  if (found == pictures.end()) return fmt::format("<p class=\"caption\">{} (not drawn)</p>\n", escaped(caption));
  return fmt::format(
      "<figure><img alt=\"{0}\" src=\"data:image/svg+xml;base64,{1}\"><figcaption class=\"caption\">{0}"
      "</figcaption></figure>\n",
      escaped(caption), base64(found->second));
}

std::string section_html(const Chapter& chapter, std::size_t index, const ReportPictures& pictures) {
  const Section& section = chapter.sections[index];
  std::string html = fmt::format("<h3 id=\"{}\">{}</h3>\n", anchor(chapter, index), escaped(section.heading));
  html += paragraphs(section.text);
  if (!section.items.empty()) {
    html +=
        "<div class=\"table\"><table class=\"items\"><thead><tr><th>where</th><th>what</th><th>paper</th><th>carom</th>"
        "<th>difference</th><th>verdict</th></tr></thead><tbody>\n";
    for (const Item& item : section.items) html += item_html(item);
    html += "</tbody></table></div>\n";
  }
  for (const auto& file : section.attachments) {
    html += fmt::format("<p><a href=\"data/{0}\">data/{0}</a>: {1}</p>\n", escaped(file.name), escaped(file.caption));
  }
  for (const auto& figure : section.figures) html += figure_html(figure.name, figure.caption, pictures);
  for (const auto& map : section.maps) html += figure_html(map.name, map.caption, pictures);
  return html;
}

std::string summary_html(const std::vector<Chapter>& chapters) {
  std::string html = "<div class=\"table\"><table><thead><tr><th>paper</th>";
  for (const Verdict verdict : kVerdicts) html += fmt::format("<th>{}</th>", reproduce::verdict_words(verdict));
  html += "</tr></thead><tbody>\n";
  for (const Chapter& chapter : chapters) {
    html += fmt::format("<tr><td><a href=\"#{}\">{}</a></td>", chapter.id, escaped(chapter.title));
    for (const std::size_t count : count_verdicts(chapter)) html += fmt::format("<td class=\"number\">{}</td>", count);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

std::vector<std::size_t> count_verdicts(const Chapter& chapter) {
  std::vector<std::size_t> counts(std::size(kVerdicts));
  for (const Section& section : chapter.sections) {
    for (const Item& item : section.items) ++counts[static_cast<std::size_t>(item.verdict)];
  }
  return counts;
}

std::string report_html(const std::vector<Chapter>& chapters, const ReportPictures& pictures) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:\">\n<title>The papers, reproduced</title>\n<style>{}</style></head><body>\n"
      "<h1>The papers, reproduced</h1>\n<p>{} Made by carom {}.</p>\n{}",
      kStyle, kIntroduction, kVersion, summary_html(chapters));
  for (const Chapter& chapter : chapters) {
    html += fmt::format("<h2 id=\"{}\">{}</h2>\n<p class=\"citation\">{}</p>\n", chapter.id, escaped(chapter.title),
                        escaped(chapter.citation));
    for (std::size_t i = 0; i < chapter.sections.size(); ++i) html += section_html(chapter, i, pictures);
  }
  return html + "</body></html>\n";
}

std::string report_markdown(const std::vector<Chapter>& chapters) {
  std::string text =
      fmt::format("# The papers, reproduced\n\n{} Made by carom {}.\n\n| paper |", kIntroduction, kVersion);
  for (const Verdict verdict : kVerdicts) text += fmt::format(" {} |", reproduce::verdict_words(verdict));
  text += "\n|---|---|---|---|---|\n";
  for (const Chapter& chapter : chapters) {
    text += fmt::format("| {} |", cell(chapter.title));
    for (const std::size_t count : count_verdicts(chapter)) text += fmt::format(" {} |", count);
    text += "\n";
  }
  for (const Chapter& chapter : chapters) {
    text += fmt::format("\n## {}\n\n{}\n", chapter.title, chapter.citation);
    for (const Section& section : chapter.sections) {
      text += fmt::format("\n### {}\n", section.heading);
      if (!section.text.empty()) text += fmt::format("\n{}\n", section.text);
      if (!section.items.empty()) {
        text += "\n| where | what | paper | carom | difference | verdict |\n|---|---|---|---|---|---|\n";
      }
      for (const Item& item : section.items) {
        const std::string verdict = fmt::format("{}{}{}", reproduce::verdict_words(item.verdict),
                                                item.note.empty() ? "" : ": ", cell(item.note));
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", cell(item.where), cell(item.claim), cell(item.paper),
                            cell(item.ours), difference_text(item), verdict);
      }
      for (const auto& file : section.attachments) {
        text += fmt::format("\n[data/{0}](data/{0}): {1}\n", file.name, file.caption);
      }
      for (const auto& figure : section.figures) {
        text += fmt::format("\n![{}](figures/{}.svg)\n", cell(figure.caption), figure.name);
      }
      for (const auto& map : section.maps)
        text += fmt::format("\n![{}](figures/{}.svg)\n", cell(map.caption), map.name);
    }
  }
  return text;
}

Json report_json(const std::vector<Chapter>& chapters) {
  Json papers = Json::array();
  for (const Chapter& chapter : chapters) {
    Json items = Json::array();
    for (const Section& section : chapter.sections) {
      for (const Item& item : section.items) {
        items.push_back({{"section", section.heading},
                         {"where", item.where},
                         {"claim", item.claim},
                         {"paper", item.paper},
                         {"ours", item.ours},
                         {"difference", item.difference ? json_number(*item.difference) : Json()},
                         {"tolerance", json_number(item.tolerance)},
                         {"verdict", reproduce::verdict_words(item.verdict)},
                         {"note", item.note}});
      }
    }
    const std::vector<std::size_t> counts = count_verdicts(chapter);
    Json verdicts = Json::object();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      verdicts[std::string(reproduce::verdict_words(kVerdicts[i]))] = counts[i];
    }
    papers.push_back({{"paper", chapter.id}, {"title", chapter.title}, {"verdicts", verdicts}, {"items", items}});
  }
  return {{"papers", papers}};
}

std::string report_text(const std::vector<Chapter>& chapters) {
  std::string text = fmt::format("  {:<26}{:>12}{:>12}{:>18}{:>10}\n", "paper", "reproduced", "corrected",
                                 "not reproducible", "differs");
  std::string differing;
  for (const Chapter& chapter : chapters) {
    const std::vector<std::size_t> counts = count_verdicts(chapter);
    text += fmt::format("  {:<26}{:>12}{:>12}{:>18}{:>10}\n", chapter.id, counts[0], counts[1], counts[2], counts[3]);
    for (const Section& section : chapter.sections) {
      for (const Item& item : section.items) {
        if (item.verdict != Verdict::differs) continue;
        differing += fmt::format("differs: {}, {}: {}; the paper has {}, carom {}\n", chapter.id, item.where,
                                 item.claim, item.paper, item.ours);
      }
    }
  }
  return differing.empty() ? text : text + "\n" + differing;
}

}  // namespace carom::app

#include "output/plot_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "carom/analysis/thinning.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/export/csv.h"
#include "common/text_table.h"
#include "output/plot_numbers.h"
#include "output/scene_differences.h"

namespace carom::app {
namespace {

constexpr std::size_t kMostPoints = 4000;  // of a curve
constexpr std::size_t kMostPanels = 6;     // one per quantity

std::string with_unit(const std::string& text, const std::string& unit) {
  return unit.empty() ? text : fmt::format("{} [{}]", text, unit);
}

std::vector<double> selected(const std::vector<double>& values, const std::vector<std::size_t>& indices) {
  std::vector<double> result;
  result.reserve(indices.size());
  for (const std::size_t i : indices) result.push_back(values[i]);
  return result;
}

Curve curve_over_time(const Series& series) {
  const std::vector<std::size_t> kept = thinned(series.value, kMostPoints);
  Curve curve;
  curve.x = selected(series.time, kept);
  curve.y = selected(series.value, kept);
  return curve;
}

/// At the samples and jumps that both have.
Curve curve_against(const Series& across, const Series& up) {
  Curve curve;
  std::size_t k = 0;
  for (std::size_t i = 0; i < up.time.size(); ++i) {
    while (k < across.time.size() && across.time[k] < up.time[i]) ++k;
    if (k == across.time.size()) break;
    if (across.time[k] != up.time[i]) continue;
    curve.x.push_back(across.value[k++]);
    curve.y.push_back(up.value[i]);
  }
  const std::vector<std::size_t> kept = thinned_path(curve.x, curve.y, 1.0 / static_cast<double>(kMostPoints));
  return {.label = {}, .x = selected(curve.x, kept), .y = selected(curve.y, kept)};
}

/// The measures of the quantities, in words.
std::string measures_of(const std::vector<const PlottedSeries*>& members) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> words;
  for (const PlottedSeries* const member : members) {
    std::string word(measure_name(member->quantity.measure));
    std::replace(word.begin(), word.end(), '_', ' ');
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kMost); ++i) text += (i > 0 ? ", " : "") + words[i];
  return words.size() > kMost ? text + ", …" : text;
}

/// The series of each panel.
std::vector<std::vector<const PlottedSeries*>> grouped(const PlotData& data) {
  std::set<std::string> names;
  for (const PlottedSeries& member : data.series) names.insert(member.quantity.name);
  const bool by_quantity = data.records.size() > 1 && names.size() <= kMostPanels;
  std::vector<std::string> keys;
  std::vector<std::vector<const PlottedSeries*>> groups;
  for (const PlottedSeries& member : data.series) {
    const std::string& key = by_quantity ? member.quantity.name : member.quantity.unit;
    const auto found = std::find(keys.begin(), keys.end(), key);
    const auto index = static_cast<std::size_t>(found - keys.begin());
    if (found == keys.end()) {
      keys.push_back(key);
      groups.emplace_back();
    }
    groups[index].push_back(&member);
  }
  return groups;
}

bool same_quantity(const std::vector<const PlottedSeries*>& members) {
  return std::all_of(members.begin(), members.end(), [&members](const PlottedSeries* member) {
    return member->quantity.name == members.front()->quantity.name;
  });
}

/// Colour and dash: of one record each curve has its own; of several, the record has the colour and the quantity the
/// dash.
void dress(Curve& curve, const PlotData& data, const PlottedSeries& member, std::size_t place) {
  if (data.records.size() == 1) {
    curve.colour = static_cast<int>(place);
    curve.dash = static_cast<int>(place);
    return;
  }
  curve.colour = static_cast<int>(member.record);
  curve.dash = static_cast<int>(member.record);
  // Where curves lie on each other, those below look out.
  constexpr double kThinnest = 1.5, kStep = 0.9, kThickest = 4.2;
  curve.width = std::min(kThinnest + kStep * static_cast<double>(data.records.size() - 1 - member.record), kThickest);
}

/// Letters beside a panel.
int longest_axis_label(std::size_t panels) {
  return panels == 1 ? 40 : 24;
}

/// The zero of a potential is anywhere. Where it lies so far off that the parts of the energy could not be seen beside
/// each other, the picture counts the potentials, and the total with them, from their least value.
void lift_potentials(Panel& panel, const std::vector<const PlottedSeries*>& members) {
  constexpr double kFar = 3.0;
  double spread = 0.0, offset = 0.0;
  for (const PlottedSeries* const member : members) {
    if (member->quantity.measure != Measure::energy) return;
    const Extent extent = extent_of(member->drawn);
    spread = std::max(spread, extent.maximum - extent.minimum);
    if (member->quantity.name == "energy.gravity") offset = extent.minimum;
  }
  if (!(std::abs(offset) > kFar * spread) || spread == 0.0) return;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string& name = members[i]->quantity.name;
    if (name != "energy.gravity" && name != "energy.total") continue;
    for (double& value : panel.curves[i].y) value -= offset;
    panel.curves[i].label += fmt::format(", from {}{:.4g} J", offset < 0.0 ? "−" : "", std::abs(offset));
  }
}

/// Largest energy of all that is drawn: what is tiny beside it is zero.
double energy_scale(const PlotData& data) {
  double scale = 0.0;
  for (const PlottedSeries& member : data.series) {
    if (member.quantity.measure != Measure::energy) continue;
    for (const double value : member.series.value) {
      if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
    }
  }
  return scale;
}

bool is_mode(const PlottedSeries* member) {
  return member->quantity.measure == Measure::mode;
}

Panel make_panel(const PlotData& data, const std::vector<const PlottedSeries*>& members, std::size_t panels) {
  Panel panel;
  panel.logarithmic = data.logarithmic;
  const Quantity& first = members.front()->quantity;
  const bool same = same_quantity(members);
  if (first.measure == Measure::energy && first.name != "energy.balance_error") panel.scale = energy_scale(data);
  const std::string own_label = first.measure == Measure::energy ? "energy: " + first.label : first.label;
  const bool told_by_axis = same && text_width(own_label) <= longest_axis_label(panels);
  panel.y_label = with_unit(told_by_axis ? own_label : measures_of(members), first.unit);
  panel.legend = !told_by_axis || data.records.size() > 1;
  if (std::all_of(members.begin(), members.end(), is_mode))
    panel.y_names = {"apart", "smooth", "sticks", "rolls", "slides"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const PlottedSeries& member = *members[i];
    Curve curve = data.against.empty() ? curve_over_time(member.drawn)
                                       : curve_against(data.against[member.record].drawn, member.drawn);
    curve.stems = member.quantity.at_events();
    curve.label = member.quantity.label;
    if (data.records.size() > 1) {
      const std::string& record = data.records[member.record];
      curve.label = told_by_axis ? record : fmt::format("{}: {}", record, member.quantity.label);
    }
    dress(curve, data, member, i);
    if (data.records.size() > 1 && !same) {
      const auto found = std::find(names.begin(), names.end(), member.quantity.name);
      curve.dash = static_cast<int>(found - names.begin());
      if (found == names.end()) names.push_back(member.quantity.name);
    }
    panel.curves.push_back(std::move(curve));
  }
  if (data.records.size() == 1 && !data.logarithmic) lift_potentials(panel, members);
  // Of one record over the whole height; of several short marks at the foot, one above the other.
  for (std::size_t k = 0; k < data.impacts.size() && data.against.empty(); ++k) {
    constexpr double kMark = 0.035;
    const bool alone = data.impacts.size() == 1;
    const double foot = kMark * static_cast<double>(k);
    if (!data.impacts[k].empty())
      panel.lines.push_back(
          {data.impacts[k], alone ? -1 : static_cast<int>(k), alone ? 0.0 : foot, alone ? 1.0 : foot + 0.8 * kMark});
  }
  return panel;
}

/// A path in space keeps its shape, unless it is a thin strip.
bool is_path(const PlotData& data, const Picture& picture) {
  if (data.against.empty() || picture.panels.size() != 1 || data.logarithmic) return false;
  if (data.against.front().quantity.unit != data.series.front().quantity.unit) return false;
  Range y;
  for (const Curve& curve : picture.panels.front().curves) {
    for (const double value : curve.y) y.add(value);
  }
  constexpr double kThin = 4.0;
  const double width = picture.x_range.high - picture.x_range.low;
  const double height = y.high - y.low;
  return width > 0.0 && height > 0.0 && width < kThin * height && height < kThin * width;
}

void set_axes(const PlotData& data, Picture& picture) {
  for (const Panel& panel : picture.panels) {
    for (const Curve& curve : panel.curves) {
      for (const double value : curve.x) picture.x_range.add(value);
    }
  }
  if (data.against.empty()) {
    const bool marked = std::any_of(data.impacts.begin(), data.impacts.end(),
                                    [](const std::vector<double>& times) { return !times.empty(); });
    picture.x_label = "time [s]";
    if (marked)
      picture.x_label += data.impacts.size() == 1 ? "    (grey lines: impacts)" : "    (marks below: impacts)";
    return;
  }
  const Quantity& quantity = data.against.front().quantity;
  picture.x_label = with_unit(quantity.label, quantity.unit);
  picture.equal_scales = is_path(data, picture);
  const double margin = 0.04 * (picture.x_range.high - picture.x_range.low);
  if (margin > 0.0) picture.x_range = {picture.x_range.low - margin, picture.x_range.high + margin};
}

std::string file_stem(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

std::string own_settings(const RecordInfo& record, const std::vector<const RecordInfo*>& records) {
  std::string text;
  for (const std::string& setting : record.settings) {
    const bool common = std::all_of(records.begin(), records.end(), [&setting](const RecordInfo* other) {
      return std::find(other->settings.begin(), other->settings.end(), setting) != other->settings.end();
    });
    if (!common) text += (text.empty() ? "" : ", ") + setting;
  }
  return text;
}

template <class Value>
bool differ(const std::vector<const RecordInfo*>& records, const Value& value) {
  return std::any_of(records.begin(), records.end(),
                     [&](const RecordInfo* record) { return value(*record) != value(*records.front()); });
}

}  // namespace

std::vector<std::string> distinctions(const std::vector<const RecordInfo*>& records,
                                      const std::vector<std::string>& files) {
  const bool engines = differ(records, [](const RecordInfo& record) { return record.engine; });
  const bool laws = differ(records, [](const RecordInfo& record) { return record.law; });
  const bool scenes = differ(records, [](const RecordInfo& record) { return record.scene; });
  const std::vector<std::string> differences =
      scenes ? scene_differences(records) : std::vector<std::string>(records.size());
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::string label;
    const auto add = [&label](const std::string& part) {
      if (!part.empty()) label += (label.empty() ? "" : ", ") + part;
    };
    if (scenes) add(differences[i].empty() ? file_stem(files[i]) : differences[i]);
    if (engines && !scenes) add(records[i]->engine);
    if (laws && !scenes) add(records[i]->law);
    if (!engines && !laws && !scenes) add(own_settings(*records[i], records));
    labels.push_back(label.empty() ? file_stem(files[i]) : label);
  }
  const std::set<std::string> different(labels.begin(), labels.end());
  if (different.size() == labels.size()) return labels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string settings = own_settings(*records[i], records);
    labels[i] = file_stem(files[i]) + (settings.empty() ? "" : " (" + settings + ")");
  }
  return labels;
}

Picture plot_picture(const PlotData& data) {
  Picture picture;
  picture.title = data.title;
  const auto groups = grouped(data);
  for (const auto& members : groups) picture.panels.push_back(make_panel(data, members, groups.size()));
  set_axes(data, picture);
  return picture;
}

}  // namespace carom::app

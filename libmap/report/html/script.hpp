// The page's own style and script, as they stand in it. No libraries.
#pragma once

#include <string_view>

namespace rankmap {

inline constexpr std::string_view page_style = R"css(
body{font:15px/1.45 system-ui,sans-serif;color:#1a1a1a;background:#fff;margin:1.5em auto;max-width:80em;padding:0 1em}
h1{font-size:1.4em}h2{font-size:1.15em;margin-top:1.8em;border-bottom:1px solid #ccc}h3{font-size:1em;margin:.8em 0 .2em}
table{border-collapse:collapse;margin:.5em 0}th,td{padding:.2em .7em;text-align:left;border-bottom:1px solid #ddd}
td.r,th.r{text-align:right;font-variant-numeric:tabular-nums}td.best{font-weight:bold}
.scroll{overflow-x:auto}.controls{margin:.7em 0}.controls label{margin-right:1.2em}
select:focus-visible{outline:3px solid #1b5fc1;outline-offset:2px}
figure{display:inline-block;margin:.5em 1em .5em 0}figcaption{font-weight:bold}
.dim{opacity:.1}
.legend{vertical-align:-2px}.matrix .back{fill:#f4f4f4}.matrix .c{stroke:none}
@media print{.controls{display:none}section{break-inside:avoid}body{max-width:none}
svg *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

// data[map][phase][0 mean, 1 most][0 +, 1 -]: a number for every line of that map's picture, in its
// order.
inline constexpr std::string_view page_script = R"js(
"use strict";
const data = JSON.parse(document.getElementById("loads").textContent);
const pictures = [...document.querySelectorAll("svg.map")].map(svg => [...svg.querySelectorAll(".l")]);
const chosen = name => document.getElementById(name).value;

// Both directions: the mean of the means, the larger of the largest.
function values(map) {
  const [plus, minus] = data[map][+chosen("phase")][+chosen("statistic")];
  if (chosen("direction") === "plus") return plus;
  if (chosen("direction") === "minus") return minus;
  return plus.map((v, i) => chosen("statistic") === "1" ? Math.max(v, minus[i]) : (v + minus[i]) / 2);
}

function readable(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
  let unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.length; ++unit) bytes /= 1000;
  return bytes.toFixed(unit === 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2) + " " + units[unit];
}

// One range over all mappings, so that their colours may be compared.
function redraw() {
  const all = data.map((_, map) => values(map));
  const most = all.reduce((top, row) => row.reduce((t, v) => Math.max(t, v), top), 0);
  pictures.forEach((lines, map) => lines.forEach((line, i) => {
    const v = all[map][i];
    const step = v > 0 ? Math.min(9, Math.max(1, Math.ceil(v / most * 9))) : 0;
    line.setAttribute("class", "l k" + step);
  }));
  document.getElementById("most").textContent = readable(most);
  highlight();
}

// The lines that the chosen communicator does not use step back.
function highlight() {
  const select = document.getElementById("group");
  if (select === null) return;
  const groups = JSON.parse(document.getElementById("groups").textContent);
  pictures.forEach((lines, map) => {
    const kept = select.value === "" ? null : new Set(groups[+select.value][map]);
    lines.forEach((line, i) => line.classList.toggle("dim", kept !== null && !kept.has(i)));
  });
}
for (const select of document.querySelectorAll(".controls select")) select.addEventListener("change", redraw);
redraw();
)js";

}  // namespace rankmap

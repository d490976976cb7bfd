# SPDX-License-Identifier: GPL-2.0
#
# Bars, a group per filesystem and a bar per method, with the spread.
#
# usage: gnuplot -c bench-bars.gnuplot DATA SVG TITLE YLABEL METHODS
#   DATA  lines of: filesystem, then median, lowest, highest for each of METHODS

set terminal svg size 800,400 font "sans-serif,12" background "#ffffff" noenhanced
set output ARG2
set title ARG3
set ylabel ARG4
set logscale y
set yrange [*<0.1:]
set grid ytics lc rgb "#dddddd"
set key outside right top
set border 3
set tics nomirror
set xtics scale 0
set style fill solid 0.9 noborder
set errorbars linecolor rgb "#333333" linewidth 1
set style histogram errorbars gap 1 linewidth 1
set style data histograms
array colors[8] = ["#4e79a7", "#a0cbe8", "#f28e2b", "#bab0ac", "#59a14f", \
	"#b07aa1", "#9c755f", "#edc948"]

plot for [i = 1:words(ARG5)] ARG1 using \
	(column(3 * i - 1) > 0 ? column(3 * i - 1) : NaN):3 * i:3 * i + 1:xtic(1) \
	linecolor rgb colors[i] title word(ARG5, i)

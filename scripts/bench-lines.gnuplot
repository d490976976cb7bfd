# SPDX-License-Identifier: GPL-2.0
#
# Lines over a size, a panel per filesystem and a line per method, with the
# spread.
#
# usage: gnuplot -c bench-lines.gnuplot DATA SVG TITLE YLABEL METHODS XLABEL
#   DATA  a block per filesystem: its name, then lines of: size, then median,
#         lowest, highest for each of METHODS

stats ARG1 using 1 nooutput
panels = STATS_blocks
rows = (panels + 2) / 3
cols = panels < 3 ? panels : 3

set terminal svg size 40 + 300 * cols, 80 + 270 * rows font "sans-serif,11" \
	background "#ffffff" noenhanced
set output ARG2
set multiplot layout rows, cols title ARG3
set logscale xy
set ylabel ARG4
set xlabel ARG6
set format x "%.0s%c"
set grid ytics lc rgb "#dddddd"
set border 3
set tics nomirror
set xtics rotate by -45
set key bottom right font ",9"
array colors[8] = ["#4e79a7", "#bab0ac", "#e15759", "#edc948", "#f28e2b", \
	"#59a14f", "#b07aa1", "#333333"]

do for [p = 0:panels - 1] {
	set title system("grep -v '^[0-9]' " . ARG1 . " | grep . | sed -n " . (p + 1) . "p")
	plot for [i = 1:words(ARG5)] ARG1 index p using \
		1:3 * i - 1:3 * i:3 * i + 1 with yerrorlines \
		linecolor rgb colors[i] pointtype 7 pointsize 0.4 title word(ARG5, i)
}
unset multiplot

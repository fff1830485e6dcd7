# Two figures from the published values, with base R only:
#
#   npm run site
#   Rscript docs/analysis/results.R site/data/values.csv FOLDER
#
# Writes bitrate-over-round-trip.svg and flagship.svg into FOLDER and prints the values that they show.

words <- commandArgs(trailingOnly = TRUE)
if (length(words) != 2) stop("usage: Rscript results.R VALUES.csv FOLDER")
values <- read.csv(words[1], encoding = "UTF-8", stringsAsFactors = FALSE)
folder <- words[2]

# Returns one value of a condition on a page, with the ends of its bracket.
cell <- function(page, condition, column) {
  found <- values[values$page == page & values$first == "Condition" &
                    startsWith(values$row, paste0(condition, "<br>")) & values$column == column, ]
  if (nrow(found) != 1) stop(paste(page, condition, column, "has", nrow(found), "cells, not 1"))
  found
}

tell <- function(name, found)
  cat(sprintf("%s: %.2f [%.2f, %.2f] %s\n", name, found$value, found$low, found$high, found$unit))

colours <- c("#0859b7", "#e26104", "#189e66", "#ac5689")

# 1. Bitrate of the stream beside one BBRv3 flow, over the base round-trip time, behind three shapers
shapers <- c(tc = "HTB", tbf = "TBF", emulator = "emulator")
roundTripsMs <- c(0, 2, 20)
svg(file.path(folder, "bitrate-over-round-trip.svg"), width = 7, height = 4)
plot(NA, xlim = c(0, 20), ylim = c(0, 8), xlab = "base round-trip time (ms)", ylab = "bitrate of the stream (Mbit/s)")
for (k in seq_along(shapers)) {
  of <- do.call(rbind, lapply(roundTripsMs, function(ms)
    cell("shapers", sprintf("backend %s, rtt %dms, congestion control bbr3", names(shapers)[k], ms), "Bitrate")))
  x <- roundTripsMs + (k - 2) * 0.15
  segments(x, of$low, x, of$high, col = colours[k], lwd = 2)
  lines(x, of$value, type = "b", pch = 19, col = colours[k])
  for (i in seq_along(roundTripsMs)) tell(sprintf("%s at %d ms", shapers[k], roundTripsMs[i]), of[i, ])
}
legend("bottomleft", legend = shapers, col = colours[seq_along(shapers)], pch = 19, bty = "n")
invisible(dev.off())

# 2. The flagship study: bitrate and frame rate of the four conditions
conditions <- c("Baseline", "Wired attack", "Lossy attack", "Loss alone")
quantities <- c("Bitrate", "Frame rate")
svg(file.path(folder, "flagship.svg"), width = 8, height = 3)
par(mfrow = c(1, 2), mar = c(4, 7, 1, 1))
for (quantity in quantities) {
  of <- do.call(rbind, lapply(conditions, function(name) cell("bbr-flood", name, quantity)))
  y <- rev(seq_along(conditions))
  plot(of$value, y, xlim = range(of$low, of$high), ylim = c(0.5, 4.5), yaxt = "n", pch = 19, col = colours, ylab = "",
       xlab = sprintf("%s (%s)", quantity, of$unit[1]))
  segments(of$low, y, of$high, y, col = colours, lwd = 2)
  axis(2, at = y, labels = conditions, las = 1)
  for (i in seq_along(conditions)) tell(sprintf("%s of %s", quantity, conditions[i]), of[i, ])
}
invisible(dev.off())

/** Styles of the report of a conformance study, in addition to those of every report (page/style.css). */
import { Html } from '../html.ts';

export const conformanceStyle = new Html(
  `.conformance table { table-layout: fixed; width: 100%; }
.conformance th, .conformance td { vertical-align: top; overflow-wrap: anywhere; }
.conformance th.corner { width: 7.5em; }
.conformance td.passed { background: color-mix(in srgb, var(--c0) 14%, transparent); }
.conformance td.failed { background: color-mix(in srgb, var(--c1) 22%, transparent); }
.conformance td a { color: inherit; text-decoration: none; display: block; }
.conformance td small, th small { display: block; font-weight: normal; color: var(--soft); font-size: 12px; }
.spark { width: 100%; height: auto; display: block; margin: 2px 0; }
b.passed { color: var(--c0); }
b.failed { color: var(--c1); }
b.undecided { color: var(--soft); }
details { border-bottom: 1px solid var(--line); padding: 6px 0; }
summary { cursor: pointer; }
@media print {
  .conformance figure, .conformance tr { break-inside: avoid; }
  details::details-content { content-visibility: visible; display: block; }
}`,
);

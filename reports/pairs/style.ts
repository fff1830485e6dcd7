/** Styles for the tables of a pairwise study, in addition to the styles of every report (page/style.css). */
import { Html } from '../html.ts';

export const pairsStyle = new Html(
  `.heat td, .heat thead th { text-align: center; }
.heat table { table-layout: fixed; }
.heat td small { color: inherit; opacity: 0.75; }
.heat th { overflow-wrap: anywhere; }
.heat th.corner { width: 26%; text-align: left; }
th small { display: block; font-weight: normal; color: var(--soft); font-size: 12px; }
.heat td a { color: inherit; text-decoration: none; }
.heat td a:hover { text-decoration: underline; }
@media screen {
  .heat table { min-width: var(--least-width); }
  .history td, .history td small, .history thead th { white-space: nowrap; }
  .history td:last-child { white-space: normal; min-width: 9em; }
}
details { border-bottom: 1px solid var(--line); padding: 6px 0; }
summary { cursor: pointer; }`,
);

// Every kind of figure by its name. A new kind is a file in charts/ and a line here.
import {Chart} from "./drawing";
import {bins} from "./charts/bins";
import {columns} from "./charts/columns";
import {densities} from "./charts/densities";
import {heat} from "./charts/heat";
import {intervals} from "./charts/intervals";
import {lines} from "./charts/lines";
import {loadings} from "./charts/loadings";
import {nullDots} from "./charts/null";
import {qq} from "./charts/qq";

const kinds: Record<string, Chart> = {bins, columns, densities, heat, intervals, lines, loadings, null: nullDots, qq};

export const chartOf = (kind: string | undefined): Chart | undefined =>
  kind !== undefined && Object.prototype.hasOwnProperty.call(kinds, kind) ? kinds[kind] : undefined;

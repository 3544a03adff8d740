// Every kind of figure by its name. A new kind is a file in charts/ and a line here.
import {Chart} from "./drawing";
import {densities} from "./charts/densities";
import {loadings} from "./charts/loadings";

export const charts: Record<string, Chart> = {densities, loadings};

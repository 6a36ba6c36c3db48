export type { Content as EventContent } from "./content-types";

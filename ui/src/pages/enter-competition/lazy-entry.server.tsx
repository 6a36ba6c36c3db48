import { atOnce } from "../../parts/at-once";
import { Entry } from "./entry";

export const { View: LazyEntry, ready } = atOnce(Entry);

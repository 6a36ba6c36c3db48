import { atOnce } from "../kit/at-once";
import { Entry } from "./entry";

export const { View: LazyEntry, ready } = atOnce(Entry);

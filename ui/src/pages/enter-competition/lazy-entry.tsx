import { later } from "../../parts/later";

export const { View: LazyEntry, ready } = later(() => import("./entry").then((module) => module.Entry));

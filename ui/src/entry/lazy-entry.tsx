import { later } from "../kit/later";

export const { View: LazyEntry, ready } = later(() => import("./entry").then((module) => module.Entry));

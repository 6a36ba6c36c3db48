export { entryData as data, entryHead as head } from "../../entry/entry-data.server";

export * from "./view";
export { adminData as data, adminHead as head } from "../../admin/shell/admin-data.server";

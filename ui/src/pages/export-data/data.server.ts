export { deskData as data, deskHead as head } from "../../admin/shell/admin-data.server";

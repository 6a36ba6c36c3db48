export { Desk as View } from "../../admin/shell/admin";
export { deskData as data, deskHead as head } from "../../admin/shell/admin-data";

export const ownFrame = true;

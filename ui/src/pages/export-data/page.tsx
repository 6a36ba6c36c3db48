import "../../kit/toast";
export { Admin as View } from "../../admin/shell/admin";

export const ownFrame = true;

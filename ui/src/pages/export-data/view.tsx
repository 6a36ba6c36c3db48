import "../../kit/toast";
export { Admin as View } from "../../admin/shell/admin";
export { ready } from "../../admin/shell/signed-in";

export const ownFrame = true;

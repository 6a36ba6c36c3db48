export { DoorPage as View } from "../../door/door-page";

export const ownFrame = true;

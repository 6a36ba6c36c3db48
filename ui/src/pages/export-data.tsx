export { Desk as View } from "../organiser/desk";
export { deskData as data, deskHead as head } from "../organiser/desk-data";

export const ownFrame = true;

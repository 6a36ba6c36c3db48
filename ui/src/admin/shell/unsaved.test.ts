import { expect, it } from "vitest";
import { addKeeper, findUnsaved, forgetUnsaved } from "./unsaved";

it("names what could not be saved, each once, and forgets it", async () => {
  let left = true;
  const forget = () => void (left = false);
  const remove = [
    addKeeper({ what: "changes to the website", isLeft: async () => left, forget }),
    addKeeper({ what: "changes to the website", isLeft: () => true, forget: () => {} }),
    addKeeper({ what: "a decision", isLeft: () => left, forget }),
    addKeeper({ what: "nothing", isLeft: async () => false, forget: () => {} }),
  ];
  expect(await findUnsaved()).toEqual(["changes to the website", "a decision"]);
  forgetUnsaved();
  expect(await findUnsaved()).toEqual(["changes to the website"]);
  for (const one of remove) one();
  expect(await findUnsaved()).toEqual([]);
});

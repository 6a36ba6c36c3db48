import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { JudgePhoto, Sheet } from "./api";
import { PhotoViewer } from "./photo-viewer";
import type { ScoringContext } from "./scoring";

it("offers to zoom and mirror a photo, but not a video", () => {
  const viewer = (kind: JudgePhoto["kind"]) => {
    const photos = [{ token: "t", slot: "front", kind, label: "Front", width: 96, height: 64 }];
    return renderToStaticMarkup(<PhotoViewer sheet={{ code: "LE-101", token: "s" } as Sheet} context={{ work: { items: [] } } as unknown as ScoringContext} photos={photos} />);
  };
  const [photo, video] = [viewer("photo"), viewer("video")];
  expect([photo.includes("<img"), video.includes("<video")]).toEqual([true, true]);
  for (const tool of ["Zoom, now 1 times", ">Mirror<", "Z zoom, M mirror"]) expect([tool, photo.includes(tool), video.includes(tool)]).toEqual([tool, true, false]);
});

import { useState } from "react";
import { Button } from "./button";

/** A button that copies a link, and says whether it could. */
export function CopyLink({ link }: { link: string }) {
  const [told, setTold] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setTold("The link is copied.");
    } catch {
      setTold(`It could not be copied. Press and hold it to copy it yourself: ${link}`);
    }
  };
  return (
    <>
      <Button look="outline" onClick={copy}>Copy the link</Button>
      <span role="status">{told}</span>
    </>
  );
}

import { Button } from "../kit/button";
import { CopyLink } from "../kit/copy-link";
import type { Nomination } from "./api";
import { QrCode } from "../kit/qr-code";

/** The link with which the model signs on another phone. */
export function ReleaseLink({ nomination, onCheck }: { nomination: Nomination; onCheck: () => Promise<void> }) {
  const link = `${location.origin}/release#${nomination.release.key}`;
  const share = () => void navigator.share({ title: "Model release", url: link }).catch(() => {});
  return (
    <>
      <p className="portal-lead">Your model reads and signs it on their own phone. Let them scan the code, or send them the link.</p>
      <div className="release-ways">
        <QrCode text={link} label="QR code with the link to the release" />
        <div>
          <p className="release-link"><a href={link} data-load="full">{link}</a></p>
          <div className="buttons">
            {"share" in navigator && <Button look="outline" onClick={share}>Share the link</Button>}
            <CopyLink link={link} />
          </div>
          <p className="soft">Not signed yet. This page updates by itself. <Button look="text" onClick={() => void onCheck()}>Check now</Button></p>
        </div>
      </div>
    </>
  );
}

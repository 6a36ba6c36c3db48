import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useLocation, useSearch } from "wouter";
import type { OwnNomination } from "../lib/answer-types";
import { Account, Frame, type PortalData } from "./frame";
import { readNomination } from "./api";
import { forgetFile, keptFiles, type KeptFile } from "./photo-files";
import { NominationList } from "./nomination-list";
import { NominationPage } from "./nomination-page";
import { Uploads } from "./uploads";
import { isOutdated, isWanted } from "./words";

export interface SignedInProps {
  data: PortalData;
  email: string;
  nominations: OwnNomination[];
  tickets: readonly string[];
  reload: (id: number) => Promise<void>;
  replace: (nomination: OwnNomination) => void;
  leave: (everywhere: boolean) => Promise<void>;
  end: () => void;
}

/** The nominations of whoever is signed in, and the photos that are being uploaded. */
export function SignedIn({ data, email, nominations, tickets, reload, replace, leave, end }: SignedInProps) {
  const uploads = useUploads(nominations, reload, end);
  const transfers = useSyncExternalStore(uploads.subscribe, uploads.shown, uploads.shown);
  const [path, navigate] = useLocation();
  const asked = Number(new URLSearchParams(useSearch()).get("nomination"));
  const nomination = nominations.find(({ id }) => id === asked);
  const open = (id?: number) => navigate(id === undefined ? path : `${path}?nomination=${id}`);
  return (
    <Frame>
      {nomination
        ? <NominationPage key={nomination.id} data={data} nomination={nomination} uploads={uploads} transfers={transfers} onChanged={replace} onReload={reload} onBack={() => open()} />
        : <NominationList data={data} nominations={nominations} tickets={tickets} transfers={transfers} onOpen={open} />}
      <Account email={email} leave={leave} />
    </Frame>
  );
}

const isOutdatedNow = async (file: KeptFile) => isOutdated(await readNomination(file.nomination), file);

/** The uploads of this session; those that a reload interrupted continue. */
function useUploads(nominations: OwnNomination[], onStored: (id: number) => void, onSignedOut: () => void): Uploads {
  const uploads = useMemo(() => new Uploads({ isOutdated: isOutdatedNow, onStored, onSignedOut }), [onStored, onSignedOut]);
  const first = useRef(nominations);
  useEffect(() => {
    const stop = uploads.start();
    let isLeft = false;
    void keptFiles().then((files) => {
      for (const file of files) {
        if (isLeft) return;
        if (first.current.some((one) => isOutdated(one, file))) void forgetFile(file.nomination, file.slot);
        else if (first.current.some((one) => isWanted(one, file))) void uploads.add(file);
      }
    });
    return () => {
      isLeft = true;
      stop();
    };
  }, [uploads]);
  return uploads;
}

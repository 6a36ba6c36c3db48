import { useCallback, useEffect, useState } from "react";
import { earlierPayment, type OwnPayment } from "../storage/own-payments";

/**
 * Finds another payment for the same person from this browser, also one that another tab makes. `isAcknowledged` checks
 * again: it is false if there is one that was not shown before; that one is then shown.
 */
export function useEarlierPayment(email: string, clientSecret: string) {
  const find = useCallback(() => earlierPayment(email, clientSecret), [email, clientSecret]);
  const [earlier, setEarlier] = useState(find);
  useEffect(() => {
    const onStorage = () => setEarlier(find());
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [find]);
  const isAcknowledged = () => {
    const current = find();
    setEarlier(current);
    return !current || (current.clientSecret === earlier?.clientSecret && current.paid === earlier.paid);
  };
  return { earlier, isAcknowledged };
}

/** Warns of a second payment. Somebody who wants another entry can pay all the same. */
export function EarlierPayment({ earlier, onShow }: { earlier: OwnPayment; onShow: () => void }) {
  return (
    <div className="form-notice" role="alert">
      <p>
        {earlier.paid
          ? `An entry for ${earlier.email} has already been paid for in this browser. `
          : `A payment for an entry for ${earlier.email} has already been started in this browser, and may have gone through. `}
        Nothing has been charged for this one yet. Pay only if you want to enter a second time.
      </p>
      <p className="form-notice-actions">
        <button type="button" className="button button-plain" onClick={onShow}>See that payment</button>
      </p>
    </div>
  );
}

import { useCallback, useEffect, useState } from "react";
import { earlierPayment, type OwnPayment } from "../storage/own-payments";

/**
 * Another payment for the same person from this browser, as another tab makes it too. `isSaid` looks again: false when
 * there is one that was not shown here before, and now is.
 */
export function useEarlierPayment(email: string, clientSecret: string) {
  const look = useCallback(() => earlierPayment(email, clientSecret), [email, clientSecret]);
  const [earlier, setEarlier] = useState(look);
  useEffect(() => {
    const onStorage = () => setEarlier(look());
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [look]);
  const isSaid = () => {
    const now = look();
    setEarlier(now);
    return !now || (now.clientSecret === earlier?.clientSecret && now.paid === earlier.paid);
  };
  return { earlier, isSaid };
}

/** Says so before somebody pays twice; whoever means another entry goes on. */
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

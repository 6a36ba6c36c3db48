import { recordIn, useAddress } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import { sections } from "../shell/sections";
import { Badges } from "./badges";
import { Devices } from "./devices";
import { FiguresPart } from "./figures";
import { TicketPage } from "./ticket-page";
import { Tickets } from "./tickets";

/** The event's days: phones at the door, who came, tickets and badges; or with `?id=` one ticket. */
export function DoorSection() {
  const id = recordIn(useAddress());
  if (id !== undefined) return <TicketPage key={id} id={id} />;
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.door}</AdminTitle></header>
      <p className="measure">Volunteers let people in with their own phones, with or without a network. If everything fails, the door list under Lists has every name and code on paper.</p>
      <FiguresPart />
      <Devices />
      <Tickets />
      <Badges />
    </>
  );
}

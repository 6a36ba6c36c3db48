import type { Nomination } from "../../lib/answer-types";
import { buttonClass } from "../../kit/button";
import { optionsOf, Select } from "../../kit/select";
import { Table } from "../../kit/table";
import { useFilters, PagedList, Refresh } from "../shell/list";
import { recordIn, useAddress, AddressLink } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import { EmailLine } from "../shell/values";
import { Instant } from "../shell/admin-context";
import { formatCount } from "../shell/numbers";
import { SearchField } from "../shell/search";
import { sections } from "../shell/sections";
import { nominationStates, StatusMark } from "../shell/status-mark";
import { hasUnconfirmedPaper, pageSize, useNominations } from "./api";
import { NominationPage, incompleteText } from "./nomination-page";

/** All nominations, or with `?id=` one of them. */
export function NominationsSection() {
  const id = recordIn(useAddress());
  return id === undefined ? <NominationList /> : <NominationPage key={id} id={id} />;
}

function NominationList() {
  const { filter, page, isFiltered, show } = useFilters("state", "missing", "search");
  const read = useNominations(filter, page);
  const { data, error } = read;
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.nominations}</AdminTitle>
        <p role="status" className="soft figures">{data && error === undefined && (data.total === 1 ? "1 nomination" : `${formatCount(data.total)} nominations`)}</p>
      </header>
      <div className="list-tools list-tools-wide">
        <SearchField label="Search code, name, business or email" search={filter.search} onSearch={(search) => show({ search })} />
        <Select label="State" value={filter.state} options={[{ value: "", label: "All states" }, ...optionsOf(nominationStates)]} onChange={({ target }) => show({ state: target.value })} />
        <Select
          label="Complete" value={filter.missing} options={[{ value: "", label: "All" }, { value: "false", label: "Nothing missing" }, { value: "true", label: "Something missing" }]}
          onChange={({ target }) => show({ missing: target.value })}
        />
        <div className="list-actions"><Refresh of={read} /></div>
      </div>
      <PagedList
        of={read} page={page} pageSize={pageSize} loading="Loading the nominations…" failed="The nominations could not be loaded."
        empty={isFiltered ? <NothingFound search={filter.search} /> : <p className="empty">No nominations yet. Each category of a paid entry becomes one.</p>}
      >
        {({ items }) => <NominationTable nominations={items} />}
      </PagedList>
    </>
  );
}

function NothingFound({ search }: { search: string }) {
  return (
    <div className="empty">
      <p className="title">Nothing found{search && <> for &ldquo;{search}&rdquo;</>}</p>
      <AddressLink to={{ search: null, state: null, missing: null, page: null }} className={buttonClass("outline")}>Show all nominations</AddressLink>
    </div>
  );
}

function NominationTable({ nominations }: { nominations: Nomination[] }) {
  return (
    <Table
      caption="Nominations" rows={nominations} rowKey={({ id }) => id}
      columns={[
        {
          name: "code", label: "Nomination",
          cell: ({ id, code, label, name }) => <><AddressLink to={{ id }} focusTitle className="row-link figures">{code}</AddressLink><span className="row-email">{label}</span><span className="row-email narrow-only">{name}</span></>,
        },
        { name: "entrant", label: "Entrant", from: "wide", cell: ({ name, email, relations }) => <>{name}<EmailLine email={email} />{relations.length > 0 && <span className="row-email">Knows {[...new Set(relations.map(({ judge }) => judge))].join(", ")}</span>}</> },
        { name: "handedIn", label: "Handed in", from: "wide", cell: ({ handedInAt }) => handedInAt && <Instant at={handedInAt} /> },
        {
          name: "state", label: "State",
          cell: (nomination) => <><StatusMark status={`nomination_${nomination.state}`} />{nomination.missing.length > 0 && <span className="row-email">{incompleteText(nomination)}</span>}{hasUnconfirmedPaper(nomination) && <span className="row-email">Signed paper to confirm</span>}</>,
        },
      ]}
    />
  );
}

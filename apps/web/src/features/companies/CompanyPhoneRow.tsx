import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { endOf, type TreeRow } from "./companies.ts";
import { EndCell, lastDay, Marks } from "./companyColumns.tsx";

interface Props {
  readonly row: TreeRow;
  readonly t: TFunction<["companies", "common"]>;
  readonly now: number;
  readonly number: (value: number, decimals?: number) => string;
  readonly onToggle: (row: TreeRow) => void;
  readonly menu: ReactNode;
}

/** Two lines: name with its marks; end, last day, devices. Its menu stands at the right. */
export function CompanyPhoneRow({ row, t, now, number, onToggle, menu }: Props) {
  const { company, isOpen, level } = row;
  return (
    <div className="company-phone" data-level={Math.min(level, 8)}>
      <div>
        <span className="company-phone-name">
          {isOpen === null ? (
            <strong>{company.name}</strong>
          ) : (
            <button type="button" aria-expanded={isOpen} onClick={() => onToggle(row)}>
              <strong>{company.name}</strong>
              <small>{t("tree.inside", { count: company.children_count })}</small>
            </button>
          )}
          <Marks row={{ ...row, isOwn: false }} t={t} />
        </span>
        <span className="company-phone-facts">
          <EndCell row={row} t={t} now={now} />
          {endOf(company, now).key === "expired" ? null : <span className="quiet">{lastDay(company)}</span>}
          <span className="quiet">
            {t("deviceCount", { count: company.device_count, shown: number(company.device_count, 0) })}
          </span>
        </span>
      </div>
      {menu}
    </div>
  );
}

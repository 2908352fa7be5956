/** A country of the phone field (UI-046). */
export interface Country {
  readonly countryCode: string;
  /** Russian name. */
  readonly name: string;
  readonly name_en: string;
  /** "+976". */
  readonly dialCode: string;
}

/** Dial codes of ITU-T E.164 by ISO 3166-1 code. Of countries that share one the first is the usual one. */
const dialCodes =
  "US1 CA1 RU7 KZ7 EG20 SS211 MA212 DZ213 TN216 LY218 GM220 SN221 MR222 ML223 GN224 CI225 BF226 NE227 TG228 " +
  "BJ229 MU230 LR231 SL232 GH233 NG234 TD235 CF236 CM237 CV238 ST239 GQ240 GA241 CG242 CD243 AO244 GW245 " +
  "IO246 SC248 SD249 RW250 ET251 SO252 DJ253 KE254 TZ255 UG256 BI257 MZ258 ZM260 MG261 RE262 YT262 ZW263 " +
  "NA264 MW265 LS266 BW267 SZ268 KM269 ZA27 SH290 ER291 AW297 FO298 GL299 GR30 NL31 BE32 FR33 ES34 GI350 " +
  "PT351 LU352 IE353 IS354 AL355 MT356 CY357 FI358 AX358 BG359 HU36 LT370 LV371 EE372 MD373 AM374 BY375 " +
  "AD376 MC377 SM378 UA380 RS381 ME382 XK383 HR385 SI386 BA387 MK389 IT39 VA39 RO40 CH41 CZ420 SK421 LI423 " +
  "AT43 GB44 GG44 IM44 JE44 DK45 SE46 NO47 SJ47 PL48 DE49 FK500 BZ501 GT502 SV503 HN504 NI505 CR506 PA507 " +
  "PM508 HT509 PE51 MX52 CU53 AR54 BR55 CL56 CO57 VE58 GP590 BL590 MF590 BO591 GY592 EC593 GF594 PY595 MQ596 " +
  "SR597 UY598 CW599 BQ599 MY60 AU61 CX61 CC61 ID62 PH63 NZ64 SG65 TH66 TL670 NF672 BN673 NR674 PG675 TO676 " +
  "SB677 VU678 FJ679 PW680 WF681 CK682 NU683 WS685 KI686 NC687 TV688 PF689 TK690 FM691 MH692 JP81 KR82 VN84 " +
  "KP850 HK852 MO853 KH855 LA856 CN86 BD880 TW886 TR90 IN91 PK92 AF93 LK94 MM95 MV960 LB961 JO962 SY963 " +
  "IQ964 KW965 SA966 YE967 OM968 PS970 AE971 IL972 BH973 QA974 BT975 MN976 NP977 IR98 TJ992 TM993 AZ994 " +
  "GE995 KG996 UZ998";

const russian = new Intl.DisplayNames("ru", { type: "region" });
const english = new Intl.DisplayNames("en", { type: "region" });

export const countries: readonly Country[] = dialCodes.split(" ").map((each) => {
  const countryCode = each.slice(0, 2);
  return {
    countryCode,
    name: russian.of(countryCode) ?? countryCode,
    name_en: english.of(countryCode) ?? countryCode,
    dialCode: `+${each.slice(2)}`,
  };
});

/** The flag of a country as the two characters that systems with flags draw as one. */
export const flagOf = ({ countryCode }: Country): string =>
  String.fromCodePoint(...Array.from(countryCode, (letter) => 0x1_f1_e6 + letter.charCodeAt(0) - 65));

const named = (countryCode: string): Country => {
  const found = countries.find((each) => each.countryCode === countryCode);
  if (found === undefined) throw new Error(`no country ${countryCode}`);
  return found;
};

/** Russia in Russian, else the United States (UI-045). */
export const usualCountry = (language: string): Country => named(language === "ru" ? "RU" : "US");

const digitsOfPhone = 14;

/** Mask of a telephone number: a plus sign and 14 digits; other characters are ignored (UI-043, X-51). */
export function maskPhone(typed: string): string {
  const digits = typed.replaceAll(/\D/g, "").slice(0, digitsOfPhone);
  return digits === "" ? "" : `+${digits}`;
}

/** Characters of a number that determine its country (UI-044). */
const telling = 4;
/** Numbers of Kazakhstan among those of +7. */
const kazakh = /^\+7[67]/;

/** The country of a number by its first four characters; undefined if they identify none. */
export function countryOf(phone: string): Country | undefined {
  const start = phone.slice(0, telling);
  if (kazakh.test(start)) return named("KZ");
  const fitting = countries.filter(({ dialCode }) => start.startsWith(dialCode));
  const longest = Math.max(...fitting.map(({ dialCode }) => dialCode.length));
  return fitting.find(({ dialCode }) => dialCode.length === longest);
}

/** The number as one of another country: its dial code is replaced. */
export function movedTo(country: Country, phone: string): string {
  const own = countryOf(phone)?.dialCode ?? "+";
  return maskPhone(country.dialCode + (phone.startsWith(own) ? phone.slice(own.length) : phone));
}

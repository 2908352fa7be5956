import { unmetPasswordNeeds } from "@metrum/contract";

/** Why a password is refused: weaker than the rule (REG-005), or one that everybody tries first. */
export type PasswordProblem = "easy_password" | "common_password";

/**
 * Judges a new password: 8 to 128 characters (more than 8 where the company asks for it) with a small and a capital letter,
 * a digit and one of !@#$%^&*, and none of those that guessing begins with. Undefined when it is fine.
 *
 * Of the 10,000 commonest passwords that circulate nearly all fail the rule of the classes by themselves: they are words or
 * numbers without a sign. What is left are words and rows of keys that were dressed up to meet such a rule ("P@ssw0rd1!",
 * "Qwerty123!", "1qaz@WSX"), so these are recognised by what they are made of. This is no list of leaked passwords, and a
 * long password that holds such a word beside others is not refused.
 */
export function checkPassword(
  password: string,
  { minLength }: { readonly minLength: number },
): PasswordProblem | undefined {
  if (unmetPasswordNeeds(password, minLength).length > 0) return "easy_password";
  return isCommon(password) ? "common_password" : undefined;
}

function isCommon(password: string): boolean {
  const small = password.toLowerCase();
  const core = withoutEnds(small);
  const isWord = [
    small,
    core,
    plainLetters(small),
    plainLetters(core),
    withoutEnds(plainLetters(small)),
  ].some((each) => words.has(each) || words.has(halfOf(each)));
  return isWord || keyRows.has(small) || keyRows.has(core) || isFewLetters(core);
}

/** What stands between the digits and signs at both ends: "2024!summer#1" is "summer". */
function withoutEnds(text: string): string {
  return text.replace(/^[^\p{L}]+/u, "").replace(/[^\p{L}]+$/u, "");
}

const letterOfSign: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};

/** Undoes the dressing up: "p@$$w0rd" is "password". */
function plainLetters(text: string): string {
  return text.replaceAll(/[@4310!$57]/g, (sign) => letterOfSign[sign] ?? sign);
}

/** The word that is written twice, "adminadmin"; else the text as it is. */
function halfOf(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}

/** "Aa123456!" and "Aaaa1111!": one letter, however often. */
function isFewLetters(core: string): boolean {
  return /^(\p{L})\1*$/u.test(core);
}

/** Words that lists of leaked passwords begin with, in the languages of our markets, as typed on a Latin keyboard too. */
const words: ReadonlySet<string> = new Set(
  `abc abcd abcde access account admin administrator alexander amanda andrew angel anna apple april arsenal ashley asdf
  asdfg asdfgh asdfghjkl august autumn baby bailey banana baseball batman blink buster butterfly carlos changeme charlie
  cheese chelsea chicken chocolate coffee company computer cookie corvette crystal dallas daniel database david default
  demo dragon december diamond energy enter february flower football forever freedom friday friends gfhjkm ginger golf
  google guest hammer hannah harley hello hockey hunter iceman iloveyou internet january jasmine jennifer jessica john
  jordan joshua july june justin killer lbvf letmein liverpool login london love lovely maggie manager march marina
  marlboro master matrix matthew maverick maxim mercedes merlin michael michelle mickey monday monkey monster mustang
  natasha nicole ninja november october office oliver operator orange owner parol pass passw passwd password patrick pepper
  phoenix pokemon princess privet purple qazwsx qazwsxedc qwe qwer qwert qwerty qwertyu qwertyuiop qweasd qweasdzxc rainbow
  ranger richard robert root samantha samsung saturday secret security september server service shadow sergey silver soccer
  spring starwars strong summer sunday sunshine super superman support sysadmin system taylor teacher test tester testing
  thomas thunder thursday tigger trustno tuesday user vfrcbv vladimir wednesday welcome whatever william windows winter
  yamaha zaq zxc zxcv zxcvb zxcvbn zxcvbnm
  пароль привет йцукен админ администратор любовь наташа марина максим россия москва
  нууцүг нууц монгол улаанбаатар сайнуу mongol ulaanbaatar`.split(/\s+/),
);

/** Columns and rows of the keyboard with a shifted part, which meet every class. */
const keyRows: ReadonlySet<string> = new Set(
  `1qaz@wsx !qaz2wsx 1qaz!qaz !qaz1qaz !qaz@wsx 1qaz2wsx zaq1@wsx zaq!2wsx zaq12wsx xsw2!qaz xsw2@zaq zaq1!qaz
  1qazxsw2 1qaz2wsx3edc 1qaz@wsx3edc !qaz2wsx#edc q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t qwe123!@#qwe qwe!@#123
  qweasd123!@# q1w2e3!@# abc123!@#abc asd123!@#asd qwer1234!@#$ qwerty123!@#qwerty`.split(/\s+/),
);

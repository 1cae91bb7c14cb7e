// A style sheet is text where the bundle imports it (scripts/package-element).
declare module '*.css' {
  const text: string;
  export default text;
}

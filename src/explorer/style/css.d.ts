// A style sheet of a part that is loaded later.
declare module '*.css';

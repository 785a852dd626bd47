// The integer types of AssemblyScript, for the files of src/core that only contain constants and are used on both sides.
declare type usize = number;
declare type i32 = number;
declare type u32 = number;

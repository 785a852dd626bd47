// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "../src/Shapes.sol";
contract ShapesTest {
    Shapes s;
    function setUp() public { s = new Shapes(); }
    function test_a() public {
        s.branches(1); s.branches(9);
        s.loops(4);
        s.tries(1); s.tries(13);
        s.asm(2);
        s.pairs(Shapes.Pair(1, 2));
        s.lib(3);
        s.early(3);
        try s.early(7) { } catch {}
        (bool ok,) = address(s).call{value: 0}(hex"12345678");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "../src/Bits.sol";

contract BitsTest {
    Bits bits;

    function setUp() public {
        bits = new Bits();
    }

    function test_numbers() public {
        require(bits.sqrt(50) == 7);
        require(bits.factorial(5) == 120);
        require(bits.popcount(7) == 3);
        require(bits.halved(8) == 4);
        require(bits.choose(true) == 6);
        bits.store(2, 9);
    }

    function test_text() public view {
        require(bytes(bits.text(1234)).length == 4);
        bits.encode(address(this), hex"0102");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "../src/Token.sol";

contract TokenTest {
    Token token;

    function setUp() public {
        token = new Token(1000);
    }

    function test_transfer() public {
        token.transfer(address(1), 10);
        require(token.balanceOf(address(1)) == 10);
        try token.transfer(address(1), 5000) {
            revert("moved");
        } catch {}
    }

    function test_from() public {
        token.approve(address(this), 50);
        token.transferFrom(address(this), address(2), 20);
        try token.transferFrom(address(this), address(2), 40) {
            revert("moved");
        } catch {}
    }

    function test_pause() public {
        token.pause(true);
        try token.transfer(address(1), 1) {
            revert("moved");
        } catch {}
        token.pause(false);
        token.give(address(5));
        try token.pause(true) {
            revert("paused");
        } catch {}
    }
}
